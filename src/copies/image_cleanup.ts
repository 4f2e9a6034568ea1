/** Deletes images of search copies along with their project, and those that no process updates. */

import type { AppContext } from "../contract/app_context.ts";
import { DAY_MS } from "../kernel/clock.ts";
import type { PurgeStep } from "../projects/purge.ts";
import type { MaintenanceJob } from "../tasks/maintenance.ts";
import {
  type CopyImage,
  countAfter,
  deleteImage,
  isProject,
  isUsable,
  readImages,
} from "./image_rows.ts";

/** Deletes the images of a project. */
export function imagePurge({ store, blobs }: Pick<AppContext, "store" | "blobs">): PurgeStep {
  const files = new Set<string>();
  return {
    name: "search_copy_images",
    async run(tx, project) {
      // After a crash, their names are lost, and the sweep of orphans deletes them.
      const images = (await readImages(tx)).filter((image) => image.project === project);
      for (const image of images) {
        await deleteImage(tx, image);
        files.add(image.file);
      }
      return images.length;
    },
    async deleteFiles() {
      await blobs.deleteUnreferenced(store, [...files]);
      files.clear();
    },
  };
}

/**
 * Returns the job for images that are older than a day and can't be used any more, or lack a change,
 * which may be a deletion. Processes that use their project have replaced those.
 */
export function imageJob(
  { store, blobs, clock }: Pick<AppContext, "store" | "blobs" | "clock">,
): MaintenanceJob {
  return {
    name: "search_copy_images",
    async run(context) {
      const before = clock.now() - DAY_MS;
      const old = await store.read(async (db) => {
        const found: CopyImage[] = [];
        for (const image of await readImages(db)) {
          const { project, at } = image;
          const isOld = !await isProject(db, project) || at < before &&
              (!isUsable(image) || await countAfter(db, project, image, 1) > 0);
          if (isOld) found.push(image);
        }
        return found;
      });
      for (const image of old) await context.commit((tx) => deleteImage(tx, image));
      await blobs.deleteUnreferenced(store, old.map(({ file }) => file));
      return old.length;
    },
  };
}
