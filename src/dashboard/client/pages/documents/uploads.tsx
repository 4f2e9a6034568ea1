/** Files on their way: a place to drop them, and each with its progress through every state. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { SourceAsset } from "../../../../uploads/schema.ts";
import { LIMITS } from "../../../../kernel/limits.ts";
import { Failure, type Page } from "../../api.ts";
import { useLoaded } from "../../live.ts";
import {
  hasOwner,
  OwnerFields,
  type OwnerForm,
  ownerOf,
  rememberedOwner,
} from "../../parts/owner.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useProject } from "../../project.ts";
import { type Progress, progressOf, upload, watch } from "./upload.ts";
import { UploadCard } from "./upload_card.tsx";

/** The largest file that the service takes. */
const MOST_BYTES = LIMITS.uploadFile;

/** How long a failed upload of before is still shown, in milliseconds. */
const SHOWN_AGAIN = 86_400_000;

export interface UploadsProps {
  /** Called when a file has become a document. */
  readonly arrived: () => void;
}

export function Uploads({ arrived }: UploadsProps) {
  const { api } = useProject();
  const [owner, setOwner] = useState<OwnerForm>(rememberedOwner);
  const [waiting, setWaiting] = useState<readonly File[]>([]);
  const files = useFiles(arrived);
  const take = (chosen: readonly File[]) => {
    if (hasOwner(owner)) files.add(chosen, ownerOf(owner));
    else setWaiting(chosen);
  };
  return (
    <section class="uploads" aria-label="Add files" key={api.id}>
      <DropZone take={take} />
      {(waiting.length > 0) && (
        <form
          class="form card uploads-owner"
          onSubmit={(event) => {
            event.preventDefault();
            files.add(waiting, ownerOf(owner));
            setWaiting([]);
          }}
        >
          <p>
            {waiting.length === 1 ? <bdi>{waiting[0]!.name}</bdi> : `${waiting.length} files`}{" "}
            {waiting.length === 1 ? "is" : "are"} ready to be sent. One thing first:
          </p>
          <OwnerFields value={owner} change={setOwner} />
          <div class="form-actions">
            <button type="button" class="button" onClick={() => setWaiting([])}>Cancel</button>
            <button type="submit" class="button primary">Upload</button>
          </div>
        </form>
      )}
      {waiting.length === 0 && hasOwner(owner) && (
        <p class="uploads-for">
          New files belong to <bdi>{Object.values(ownerOf(owner)).join(" · ")}</bdi>.{" "}
          <button
            type="button"
            class="link-button"
            onClick={() => setOwner({ user_id: "", agent_id: "", run_id: "" })}
          >
            Change
          </button>
        </p>
      )}
      {files.shown.length > 0 && (
        <ul class="upload-list" aria-label="Files on their way">
          {files.shown.map(([key, progress]) => (
            <UploadCard
              key={key}
              progress={progress}
              again={() => files.follow(key, progress)}
              gone={() => files.forget(key)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Takes files that are dropped, or chosen with the keyboard or the mouse. */
function DropZone({ take }: { readonly take: (files: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <div
      class={`drop-zone ${over ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take([...event.dataTransfer?.files ?? []]);
      }}
    >
      <Icon name="upload" />
      <p>
        Drop files here, or{" "}
        <button type="button" class="link-button" onClick={() => field.current?.click()}>
          choose them
        </button>
      </p>
      <p class="hint">
        PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, images, e-mail, text. Up to{" "}
        {MOST_BYTES / 1_000_000} MB each.
      </p>
      <input
        ref={field}
        type="file"
        class="sr-only"
        multiple
        tabIndex={-1}
        aria-label="Files to upload"
        onChange={(event) => {
          take([...event.currentTarget.files ?? []]);
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}

/** Files on their way: those chosen here, and what the service still has from before. */
function useFiles(arrived: () => void) {
  const { api } = useProject();
  const [shown, setShown] = useState<readonly (readonly [string, Progress])[]>([]);
  const aborter = useRef(new AbortController());
  useEffect(() => () => aborter.current.abort(), []);
  const set = (key: string, progress: Progress) => {
    setShown((before) =>
      before.some(([known]) => known === key)
        ? before.map((entry) => entry[0] === key ? [key, progress] : entry)
        : [[key, progress], ...before]
    );
    if (progress.asset?.status === "ready") arrived();
  };
  const follow = (key: string, progress: Progress) => {
    watch(api, progress, (next) => set(key, next), aborter.current.signal).catch(
      (error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        set(key, { ...progress, failure: error });
      },
    );
  };
  const earlier = useLoaded(
    (signal) => api.get<Page<SourceAsset>>("/browse/uploads", { limit: 20 }, signal),
    [api.id],
  );
  useEffect(() => {
    for (const asset of earlier.value?.results.toReversed() ?? []) {
      const fresh = Date.now() - Date.parse(asset.updated_at) < SHOWN_AGAIN;
      if (!fresh || asset.status === "ready" || asset.status === "cancelled") continue;
      set(asset.id, progressOf(asset));
      if (asset.status === "queued" || asset.status === "processing") {
        follow(asset.id, progressOf(asset));
      }
    }
  }, [earlier.value]);
  return {
    shown,
    follow,
    add(files: readonly File[], owner: Readonly<Record<string, string>>) {
      for (const file of files) {
        const key = `${file.name} ${performance.now()}`;
        void upload(api, file, owner, (progress) => set(key, progress), aborter.current.signal);
      }
    },
    forget(key: string) {
      setShown((before) => before.filter(([known]) => known !== key));
    },
  };
}
