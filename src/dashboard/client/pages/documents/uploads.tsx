/** The documents page's upload area, with a drop zone and one card per upload. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { SourceAsset } from "../../../../uploads/schema.ts";
import { LIMITS } from "../../../../kernel/limits.ts";
import { type Page, RequestError } from "../../api.ts";
import { useResource } from "../../hooks.ts";
import { hasOwner, OwnerFields, ownerScopes, useOwner } from "../../parts/forms/owner_fields.tsx";
import { Icon } from "../../parts/layout/icon.tsx";
import { useProject } from "../../project.ts";
import {
  initialProgress,
  isExtracting,
  progressFromAsset,
  readExtraction,
  uploadFile,
  type UploadProgress,
} from "./upload.ts";
import { UploadCard } from "./upload_card.tsx";

/** Maximum file size, in bytes. */
const MAX_UPLOAD_BYTES = LIMITS.uploadFileBytes;

/** Files that are sent at the same time. */
const MAX_UPLOADS = 3;

/** How often to poll the extractions, in milliseconds, and how many of them. */
const POLL_INTERVAL_MS = 1_000;
const MAX_POLLED = 10;

/** How often to read the uploads of other clients, in milliseconds, and how many of them. */
const STORED_INTERVAL_MS = 15_000;
const MAX_STORED = 20;

/** How long a failed upload stays listed, in milliseconds. */
const RECENT_FAILURE_MS = 86_400_000;

export interface UploadsProps {
  /** Called when a file has been turned into a document. */
  readonly onReady: () => void;
}

export function Uploads({ onReady }: UploadsProps) {
  const { api } = useProject();
  const { owner, setOwner, saveOwner } = useOwner();
  const [waiting, setWaiting] = useState<readonly File[]>([]);
  const files = useUploads(onReady);
  const addFiles = (chosen: readonly File[]) => {
    if (hasOwner(owner)) files.add(chosen, saveOwner());
    else setWaiting(chosen);
  };
  return (
    <section class="uploads" aria-label="Upload files" key={api.id}>
      <DropZone onFiles={addFiles} />
      {(waiting.length > 0) && (
        <form
          class="form card uploads-owner"
          onSubmit={(event) => {
            event.preventDefault();
            files.add(waiting, saveOwner());
            setWaiting([]);
          }}
        >
          <p>
            {waiting.length === 1 ? <bdi>{waiting[0]!.name}</bdi> : `${waiting.length} files`}{" "}
            {waiting.length === 1 ? "is" : "are"} ready to upload. Choose an owner first:
          </p>
          <OwnerFields value={owner} onChange={setOwner} />
          <div class="form-actions">
            <button type="button" class="button" onClick={() => setWaiting([])}>Cancel</button>
            <button type="submit" class="button primary">Upload</button>
          </div>
        </form>
      )}
      {waiting.length === 0 && hasOwner(owner) && (
        <p class="uploads-for">
          New files belong to <bdi>{Object.values(ownerScopes(owner)).join(" · ")}</bdi>.{" "}
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
        <ul class="upload-list" aria-label="Uploads">
          {files.shown.map(([key, progress]) => (
            <UploadCard
              key={key}
              progress={progress}
              onRetry={() => files.watch(key, progress)}
              onDismiss={() => files.remove(key)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Accepts files dropped or selected in a file dialog. */
function DropZone({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [isDragOver, setIsDragOver] = useState(false);
  return (
    <div
      class={`drop-zone ${isDragOver ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDragOver(true);
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsDragOver(false);
        onFiles([...event.dataTransfer?.files ?? []]);
      }}
    >
      <Icon name="upload" />
      <p>
        Drop files here, or{" "}
        <button type="button" class="link-button" onClick={() => field.current?.click()}>
          choose files
        </button>
      </p>
      <p class="hint">
        PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, images, email, text. Up to{" "}
        {MAX_UPLOAD_BYTES / 1_000_000} MB each.
      </p>
      <input
        ref={field}
        type="file"
        class="sr-only"
        multiple
        tabIndex={-1}
        aria-label="Files to upload"
        onChange={(event) => {
          onFiles([...event.currentTarget.files ?? []]);
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}

/**
 * Returns the uploads to show: the files chosen on this page, plus any unfinished uploads the
 * service still has.
 */
function useUploads(onReady: () => void) {
  const { api } = useProject();
  const [shown, setShown] = useState<readonly (readonly [string, UploadProgress])[]>([]);
  const aborter = useRef(new AbortController());
  useEffect(() => () => aborter.current.abort(), []);
  const setProgress = (key: string, progress: UploadProgress) => {
    setShown((before) =>
      before.some(([known]) => known === key)
        ? before.map((entry) => entry[0] === key ? [key, progress] : entry)
        : [[key, progress], ...before]
    );
    if (progress.asset?.status === "ready") onReady();
  };
  const watch = useExtractions(setProgress, aborter.current.signal);
  const enqueue = useQueue();
  const stored = useResource(
    (signal) => api.get<Page<SourceAsset>>("/browse/uploads", { limit: MAX_STORED }, signal),
    [api.id],
    STORED_INTERVAL_MS,
  );
  const dismissed = useRef(new Set<string>());
  useEffect(() => {
    const assets = stored.value?.results.filter(isUnfinished) ?? [];
    for (const asset of assets.toReversed()) {
      const known = shown.find(([key, progress]) => isUploadOf(asset, key, progress));
      const isNews = known?.[0] === asset.id && isNewer(asset, known[1].asset);
      if (dismissed.current.has(asset.id) || known !== undefined && !isNews) continue;
      const progress = progressFromAsset(asset);
      setProgress(asset.id, progress);
      if (isExtracting(progress)) watch(asset.id, progress);
    }
    // Uploads of other clients that were removed. If the list is full, they can be further down.
    const all = stored.value?.results;
    if (all === undefined || all.length >= MAX_STORED) return;
    const ids = new Set(all.map(({ id }) => id));
    setShown((before) => before.filter(([key, { stalled }]) => !stalled || ids.has(key)));
  }, [stored.value]);
  return {
    shown,
    watch,
    add(files: readonly File[], owner: Readonly<Record<string, string>>) {
      const { signal } = aborter.current;
      for (const file of files) {
        const key = `${file.name} ${performance.now()}`;
        const onProgress = (progress: UploadProgress) => {
          setProgress(key, progress);
          if (isExtracting(progress)) watch(key, progress);
        };
        onProgress(initialProgress(file));
        enqueue(() => uploadFile(api, file, owner, onProgress, signal), signal);
      }
    },
    remove(key: string) {
      const id = shown.find(([known]) => known === key)?.[1].asset?.id;
      if (id !== undefined) dismissed.current.add(id);
      setShown((before) => before.filter(([known]) => known !== key));
    },
  };
}

/** Checks whether an upload is listed. One that has failed is, for a while. */
function isUnfinished({ status, updated_at }: SourceAsset): boolean {
  if (status === "ready" || status === "cancelled") return false;
  return Date.now() - Date.parse(updated_at) < RECENT_FAILURE_MS;
}

/** Checks whether an entry shows an upload. A file that is just being registered has no id yet. */
function isUploadOf(asset: SourceAsset, key: string, progress: UploadProgress): boolean {
  return key === asset.id || progress.asset?.id === asset.id ||
    progress.asset === null && progress.step === 0 && progress.filename === asset.filename;
}

function isNewer(asset: SourceAsset, known: SourceAsset | null): boolean {
  return known === null || asset.updated_at > known.updated_at;
}

/** Returns a function that runs jobs in order, a few at a time. */
function useQueue(): (job: () => Promise<void>, signal: AbortSignal) => void {
  const waiting = useRef<(() => Promise<void>)[]>([]);
  const running = useRef(0);
  const runNext = (signal: AbortSignal) => {
    if (running.current >= MAX_UPLOADS || signal.aborted) return;
    const job = waiting.current.shift();
    if (job === undefined) return;
    running.current++;
    void job().finally(() => {
      running.current--;
      runNext(signal);
    });
  };
  return (job, signal) => {
    waiting.current.push(job);
    runNext(signal);
  };
}

/**
 * Returns a function that watches an extraction until it has ended. One poll reads a few at a time,
 * each in its turn, while the page is visible.
 */
function useExtractions(
  onProgress: (key: string, progress: UploadProgress) => void,
  signal: AbortSignal,
): (key: string, progress: UploadProgress) => void {
  const { api } = useProject();
  const watched = useRef(new Map<string, UploadProgress>());
  const poll = async () => {
    for (const [key, before] of [...watched.current].slice(0, MAX_POLLED)) {
      try {
        const progress = await readExtraction(api, before, signal);
        watched.current.delete(key);
        // After all others, so that each gets its turn.
        if (isExtracting(progress)) watched.current.set(key, progress);
        onProgress(key, progress);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof RequestError)) throw error;
        watched.current.delete(key);
        // The service may be restarting. The next poll tries again, after all others.
        if (error.status === 0 || error.status >= 500) return void watched.current.set(key, before);
        onProgress(key, { ...before, failure: error });
      }
    }
  };
  const latest = useRef(poll);
  latest.current = poll;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      timer = setTimeout(async () => {
        try {
          if (!document.hidden) await latest.current();
        } finally {
          if (!signal.aborted) schedule();
        }
      }, POLL_INTERVAL_MS);
    };
    schedule();
    return () => clearTimeout(timer);
  }, []);
  return (key, progress) => void watched.current.set(key, progress);
}
