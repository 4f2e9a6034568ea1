/** Adds projects to a data directory, next to a running server. */

import { closeServices, MANAGEMENT_OPTIONS, openServices } from "../src/server/services.ts";
import { testDatabase } from "./engine.ts";

/** A project without any records so far. */
export interface EmptyProject {
  readonly number: number;
  /** A key with every permission. */
  readonly key: string;
  /** A key with `memory:read` only. */
  readonly readerKey: string;
}

/** Adds projects. They are named after `prefix` and a number. */
export async function addProjects(
  directory: string,
  count: number,
  prefix: string,
): Promise<EmptyProject[]> {
  const database = testDatabase(directory);
  const services = await openServices(directory, { ...MANAGEMENT_OPTIONS, database });
  try {
    return await services.appContext.store.write("maintenance", async (tx) => {
      const created: EmptyProject[] = [];
      for (let index = 0; index < count; index++) {
        const project = await services.projects.create(tx, `${prefix}-${index}`);
        const { key } = await services.keys.create(tx, project, {});
        const reader = await services.keys.create(tx, project, { permissions: ["memory:read"] });
        created.push({ number: project.number, key, readerKey: reader.key });
      }
      return created;
    });
  } finally {
    await closeServices(services);
  }
}
