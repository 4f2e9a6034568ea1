/**
 * One file on its way to a document: announced, sent, queued, extracted. The states are those of
 * the service; this only drives the first three steps and watches the rest.
 */

import { mediaTypeOf, UNKNOWN_MEDIA_TYPE } from "../../../../kernel/media_types.ts";
import type { Operation } from "../../../../operations/schema.ts";
import type { CompleteResponse, CreateResponse, SourceAsset } from "../../../../uploads/schema.ts";
import { idempotencyKey, type ProjectApi, RequestError } from "../../api.ts";

/** The steps that a person sees, in order. */
export const STEPS = ["Announced", "Sent", "Queued", "Extracted", "Ready"] as const;

/** What each step is called while it is on its way. */
export const ACTIVE_STEPS = [
  "Announcing",
  "Sending",
  "Queueing",
  "Extracting",
  "Storing",
] as const;

/** Where a file is. */
export interface UploadProgress {
  readonly filename: string;
  readonly bytes: number;
  /** How many of the steps are done. */
  readonly step: number;
  /** Share of the bytes that has been sent, while they are. */
  readonly sent: number | null;
  readonly asset: SourceAsset | null;
  readonly operation: Operation | null;
  /** What ended the way, or holds it up; undefined while all is well. */
  readonly failure: RequestError | undefined;
}

/** Whose document it becomes. */
export interface Owner {
  readonly user_id?: string;
  readonly agent_id?: string;
  readonly run_id?: string;
}

/** Hears of every change of a file's progress. */
export type ProgressListener = (progress: UploadProgress) => void;

/** How long to wait between two looks at an extraction. */
const POLL_INTERVAL_MS = 500;

/** States of an operation from which it goes on by itself. */
const ACTIVE_STATUSES: ReadonlySet<string> = new Set([
  "awaiting_upload",
  "pending",
  "processing",
  "retry",
]);

/**
 * Takes a file all the way. Resolves at the end, whichever it is, or when `signal` is given up.
 */
export async function uploadFile(
  api: ProjectApi,
  file: File,
  owner: Owner,
  onProgress: ProgressListener,
  signal: AbortSignal,
): Promise<void> {
  let progress = initialProgress(file);
  const update = (change: Partial<UploadProgress>) => {
    if (!signal.aborted) onProgress(progress = { ...progress, ...change });
  };
  try {
    update({});
    const body = { filename: file.name, size_bytes: file.size, content_type: contentTypeOf(file) };
    const { source_asset, upload } = await api.call<CreateResponse>("POST", "/document-uploads", {
      body: { ...body, ...owner },
      headers: idempotencyKey(),
    });
    update({ step: 1, asset: source_asset, sent: 0 });
    const path = `/document-uploads/${source_asset.id}`;
    await sendFile(upload.url, file, signal, (sent) => update({ sent }));
    update({ step: 2, sent: null });
    const completed = await api.call<CompleteResponse>("POST", `${path}/complete`);
    update({ step: 3, asset: completed.source_asset, operation: completed.operation });
    await watchExtraction(api, progress, onProgress, signal);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    update({ failure: error, sent: null });
  }
}

/**
 * Looks at an extraction until it has ended.
 *
 * @throws Failure
 */
export async function watchExtraction(
  api: ProjectApi,
  from: UploadProgress,
  onProgress: ProgressListener,
  signal: AbortSignal,
): Promise<void> {
  if (from.asset === null) return;
  const { id, operation_id } = from.asset;
  for (;;) {
    const operation = await api.get<Operation>(`/operations/${operation_id}`);
    const { source_asset } = await api.get<{ source_asset: SourceAsset }>(
      `/document-uploads/${id}`,
    );
    if (signal.aborted) return;
    onProgress({ ...from, ...extractionProgress(source_asset, operation), operation });
    if (!ACTIVE_STATUSES.has(operation.status)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    if (signal.aborted) return;
  }
}

/** What an upload that the service knows looks like here. */
export function progressFromAsset(asset: SourceAsset): UploadProgress {
  const { filename, size_bytes: bytes } = asset;
  return { filename, bytes, sent: null, operation: null, ...extractionProgress(asset, null) };
}

const STEP_BY_STATUS: Readonly<Record<SourceAsset["status"], number>> = {
  awaiting_upload: 1,
  uploaded: 2,
  queued: 3,
  processing: 3,
  failed: 3,
  ready: 5,
  cancelled: 0,
};

function extractionProgress(
  asset: SourceAsset,
  operation: Operation | null,
): Pick<UploadProgress, "asset" | "step" | "failure"> {
  const error = asset.error ?? operation?.error ?? null;
  const failed = asset.status === "failed" && error !== null;
  const failure = failed ? new RequestError(error.code, error.message, 0, null) : undefined;
  return { asset, step: STEP_BY_STATUS[asset.status], failure };
}

function initialProgress(file: File): UploadProgress {
  return {
    filename: file.name,
    bytes: file.size,
    step: 0,
    sent: null,
    asset: null,
    operation: null,
    failure: undefined,
  };
}

/** By the name: browsers know few types, and some call Markdown or CSV what it isn't. */
function contentTypeOf(file: File): string {
  const named = mediaTypeOf(file.name);
  return named === UNKNOWN_MEDIA_TYPE && file.type !== "" ? file.type : named;
}

/** Sends bytes as they are, and tells how far it is: `fetch` can't. */
function sendFile(
  url: string,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    // The path alone: the page may have come here by another name than the service knows.
    request.open("PUT", new URL(url).pathname);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => request.status === 204 ? resolve() : reject(errorFromRequest(request));
    request.onerror = () =>
      reject(new RequestError("UNREACHABLE", "The service can't be reached", 0, null));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function errorFromRequest(request: XMLHttpRequest): RequestError {
  const requestId = request.getResponseHeader("x-request-id");
  try {
    const { code, message, details } = JSON.parse(request.responseText);
    return new RequestError(code, message, request.status, requestId, details ?? {});
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = `Answered with status ${request.status} and no explanation`;
    return new RequestError("UNKNOWN_ANSWER", message, request.status, requestId);
  }
}
