/** A card showing an upload's progress, or why it failed. */

import { RequestError } from "../../api.ts";
import { useMutation } from "../../hooks.ts";
import { formatBytes } from "../../parts/data/number_format.ts";
import { Icon } from "../../parts/layout/icon.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import { useProject } from "../../project.ts";
import { ACTIVE_STEPS, STEPS, type UploadProgress } from "./upload.ts";

/** Advice for failures caused by the file itself. */
const ADVICE: Readonly<Record<string, string>> = {
  DOCUMENT_ENCRYPTED: "Remove the password and upload the file again.",
  DOCUMENT_CORRUPT:
    "The file is damaged. Open it in the program that created it, save it and upload it again.",
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE:
    "The file name does not match the content, or this type of file is not supported. Rename the file, or save it as PDF or plain text, and upload it again.",
  EXTRACTED_DOCUMENT_EMPTY:
    "No text found. If it is a scan, make sure that it is sharp enough to read.",
  EXTRACTED_DOCUMENT_TOO_LARGE: "The text is longer than 1 MB. Split the file into parts.",
  DOCUMENT_PAGE_LIMIT_EXCEEDED: "The file has more than 300 pages. Split it into parts.",
  DOCUMENT_UPLOAD_TOO_LARGE:
    "The file is larger than 25 MB. Split it into parts or make it smaller.",
};

export interface UploadCardProps {
  readonly progress: UploadProgress;
  /** Called after a retry to start watching the upload again. */
  readonly onRetry: () => void;
  /** Called when the card should go away. */
  readonly onDismiss: () => void;
}

/** Errors of removing an upload that was removed or became a document in the meantime. */
const ENDED_CODES: ReadonlySet<string> = new Set([
  "DOCUMENT_UPLOAD_NOT_FOUND",
  "SOURCE_ASSET_READY",
]);

export function UploadCard({ progress, onRetry, onDismiss }: UploadCardProps) {
  const { api, link } = useProject();
  const { asset, operation, failure, filename, step, stalled } = progress;
  const retry = useMutation(async () => {
    await api.call("POST", `/operations/${asset!.operation_id}/retry`);
    onRetry();
  });
  const complete = useMutation(async () => {
    await api.call("POST", `/document-uploads/${asset!.id}/complete`);
    onRetry();
  });
  const remove = useMutation(async () => {
    if (asset !== null && asset.status !== "ready") {
      await api.call("DELETE", `/document-uploads/${asset.id}`).catch((error: unknown) => {
        if (!(error instanceof RequestError && ENDED_CODES.has(error.code))) throw error;
      });
    }
    onDismiss();
  });
  const willRetry = operation?.status === "retry";
  const hasFailed = failure !== undefined && !willRetry;
  return (
    <li class={`upload-card card ${hasFailed ? "dead" : step === STEPS.length ? "done" : ""}`}>
      <div class="upload-head">
        <Icon name="document" />
        <strong class="clip">
          <bdi>{filename}</bdi>
        </strong>
        <span class="faint">{formatBytes(progress.bytes)}</span>
        {asset?.document_id != null && (
          <a class="button small" href={link(`/documents/${asset.document_id}`)}>Open</a>
        )}
        {asset?.status === "failed" && (
          <button type="button" class="button small" disabled={retry.running} onClick={retry.run}>
            <Icon name="retry" /> Try again
          </button>
        )}
        {asset?.status === "uploaded" && stalled && (
          <button
            type="button"
            class="button small"
            disabled={complete.running}
            onClick={complete.run}
          >
            Complete
          </button>
        )}
        {(hasFailed || step === STEPS.length || stalled) && (
          <button
            type="button"
            class="icon-button"
            aria-label={step === STEPS.length ? "Hide" : `Remove ${filename}`}
            onClick={remove.run}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      <Steps progress={progress} />
      <p class="sr-only" role="status">{statusText(progress)}</p>
      {stalled && (
        <p class="hint">
          {asset?.status === "uploaded"
            ? "The file has arrived, but its upload was not completed."
            : "The file has not arrived yet. If its upload was interrupted, choose it again."}
        </p>
      )}
      {failure !== undefined && <ErrorMessage failure={failure} />}
      {failure !== undefined && (
        <p class="hint">
          {willRetry
            ? (
              <>
                Attempt {operation.attempts} of {operation.max_attempts} failed. Next attempt:{" "}
                <Timestamp at={operation.next_attempt_at} />.
              </>
            )
            : ADVICE[failure.code]}
        </p>
      )}
      <ErrorMessage failure={retry.failure ?? complete.failure ?? remove.failure} />
    </li>
  );
}

function Steps({ progress }: { readonly progress: UploadProgress }) {
  const { step, sent, failure, stalled } = progress;
  return (
    <ol class="upload-steps" aria-hidden="true">
      {STEPS.map((name, index) => {
        const state = index < step
          ? "done"
          : index > step
          ? ""
          : failure !== undefined
          ? "failed"
          : stalled
          ? "stalled"
          : "now";
        return (
          <li key={name} class={state}>
            <span class="step-line">
              {state === "now" && (
                <span
                  class={sent === null ? "step-fill unknown" : "step-fill"}
                  style={sent === null ? {} : { width: `${(sent * 100).toFixed(0)}%` }}
                />
              )}
            </span>
            <span class="step-word">
              {state === "now" ? ACTIVE_STEPS[index] : name}
              {state === "now" && sent !== null && ` ${(sent * 100).toFixed(0)}%`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Returns the progress as text for screen readers. */
function statusText({ filename, step, failure, stalled }: UploadProgress): string {
  if (stalled) return `${filename} is not complete`;
  if (failure !== undefined) return `${filename} failed: ${failure.message}`;
  if (step === STEPS.length) return `${filename} is ready`;
  return `${filename}: ${ACTIVE_STEPS[step]!.toLowerCase()}`;
}
