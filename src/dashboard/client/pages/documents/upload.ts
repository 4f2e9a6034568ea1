/**
 * Uploads a file by registering it, sending it and queueing it, and reads how its extraction goes
 * on. All state lives in the service.
 */

import { mediaTypeOf, UNKNOWN_MEDIA_TYPE } from "../../../../kernel/http/media_types.ts";
import type { Operation } from "../../../../operations/schema.ts";
import type { CompleteResponse, CreateResponse, SourceAsset } from "../../../../uploads/schema.ts";
import { Command, type ProjectApi, RequestError } from "../../api.ts";

/** Upload steps, in order. */
export const STEPS = ["Registered", "Uploaded", "Queued", "Extracted", "Ready"] as const;

/** Label for each step in progress. */
export const ACTIVE_STEPS = [
  "Registering",
  "Uploading",
  "Queueing",
  "Extracting",
  "Saving",
] as const;

/** An upload's progress. */
export interface UploadProgress {
  readonly filename: string;
  readonly bytes: number;
  /** Number of completed steps. */
  readonly step: number;
  /** Fraction of the bytes sent so far, or null when the file isn't being sent. */
  readonly sent: number | null;
  readonly asset: SourceAsset | null;
  readonly operation: Operation | null;
  /** Whether this page isn't the one that sends the file, and its upload may have been abandoned. */
  readonly stalled: boolean;
  /** What stopped or delayed the upload, if anything. */
  readonly failure: RequestError | undefined;
}

/** Owner of the new document. */
export interface Owner {
  readonly user_id?: string;
  readonly agent_id?: string;
  readonly run_id?: string;
}

/** Called whenever the progress changes. */
export type ProgressListener = (progress: UploadProgress) => void;

/** Statuses an operation leaves without anyone's help. */
const ACTIVE_STATUSES: ReadonlySet<string> = new Set([
  "awaiting_upload",
  "pending",
  "processing",
  "retry",
]);

/**
 * Uploads a file. Resolves once its extraction is queued, after an error, which is reported in the
 * progress, or after `signal` is aborted.
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
    const body = { filename: file.name, size_bytes: file.size, content_type: contentTypeOf(file) };
    const { source_asset, upload } = await api.call<CreateResponse>("POST", "/document-uploads", {
      body: { ...body, ...owner },
      command: new Command(),
    });
    update({ step: 1, asset: source_asset, sent: 0 });
    const path = `/document-uploads/${source_asset.id}`;
    await sendFile(upload.url, file, signal, (sent) => update({ sent }));
    update({ step: 2, sent: null });
    const completed = await api.call<CompleteResponse>("POST", `${path}/complete`);
    update({ step: 3, asset: completed.source_asset, operation: completed.operation });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    update({ failure: error, sent: null });
  }
}

/** Checks whether an upload is being extracted, or will be without anyone's help. */
export function isExtracting({ asset, operation }: UploadProgress): boolean {
  if (asset === null) return false;
  if (asset.status === "queued" || asset.status === "processing") return true;
  return asset.status === "failed" && operation !== null && ACTIVE_STATUSES.has(operation.status);
}

/**
 * Reads the progress of an extraction. Only one that failed has an operation worth reading, which
 * may have attempts left.
 *
 * @throws RequestError if the service can't be reached, or the upload is gone
 */
export async function readExtraction(
  api: ProjectApi,
  from: UploadProgress,
  signal: AbortSignal,
): Promise<UploadProgress> {
  const { id, operation_id } = from.asset!;
  const path = `/document-uploads/${id}`;
  const { source_asset } = await api.get<{ source_asset: SourceAsset }>(path, {}, signal);
  const operation = source_asset.status === "failed"
    ? await api.get<Operation>(`/operations/${operation_id}`, {}, signal)
    : null;
  return { ...from, ...extractionProgress(source_asset, operation), operation, stalled: false };
}

/** Returns the progress of an upload the service already has. */
export function progressFromAsset(asset: SourceAsset): UploadProgress {
  const { filename, size_bytes: bytes, status } = asset;
  const stalled = status === "awaiting_upload" || status === "uploaded";
  return {
    filename,
    bytes,
    sent: null,
    operation: null,
    stalled,
    ...extractionProgress(asset, null),
  };
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

/** Returns the progress of a file that waits to be uploaded. */
export function initialProgress(file: File): UploadProgress {
  return {
    filename: file.name,
    bytes: file.size,
    step: 0,
    sent: null,
    asset: null,
    operation: null,
    stalled: false,
    failure: undefined,
  };
}

/**
 * Returns the content type for a file name. Browsers only recognize a few, and some report the
 * wrong one for Markdown or CSV.
 */
function contentTypeOf(file: File): string {
  const byName = mediaTypeOf(file.name);
  return byName === UNKNOWN_MEDIA_TYPE && file.type !== "" ? file.type : byName;
}

/**
 * Sends a file and reports the progress. Uses XMLHttpRequest because `fetch` can't report upload
 * progress.
 */
function sendFile(
  url: string,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    // Use only the path, in case the page was opened under a different host name than the one in
    // the URL.
    request.open("PUT", new URL(url).pathname);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => request.status === 204 ? resolve() : reject(errorFromRequest(request));
    request.onerror = () =>
      reject(new RequestError("UNREACHABLE", "Cannot reach the service", 0, null));
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
    const message = `Received status ${request.status} without an error message`;
    return new RequestError("UNKNOWN_ANSWER", message, request.status, requestId);
  }
}
