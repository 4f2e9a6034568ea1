/** One file on its way: which steps are done, how far the present one is, and what went wrong. */

import { useMutation } from "../../hooks.ts";
import { formatBytes } from "../../parts/data/number_format.ts";
import { Icon } from "../../parts/layout/icon.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import { useProject } from "../../project.ts";
import { ACTIVE_STEPS, STEPS, type UploadProgress } from "./upload.ts";

/** What to do about a failure that the file itself is the cause of. */
const ADVICE: Readonly<Record<string, string>> = {
  DOCUMENT_ENCRYPTED: "Save it without a password and upload it again.",
  DOCUMENT_CORRUPT: "The file is damaged. Open it in its own program, save it and try again.",
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE:
    "Its name and what is in it don't agree, or files of this kind aren't read. Give it its right name, or save it as PDF or plain text, and upload it again.",
  EXTRACTED_DOCUMENT_EMPTY: "No text was found in it. A scan has to be sharp enough to be read.",
  EXTRACTED_DOCUMENT_TOO_LARGE: "Its text is longer than 1 MB. Split it into parts.",
  DOCUMENT_PAGE_LIMIT_EXCEEDED: "It has more than 300 pages. Split it into parts.",
  DOCUMENT_UPLOAD_TOO_LARGE: "Files of up to 25 MB are taken. Split it or make it smaller.",
};

export interface UploadCardProps {
  readonly progress: UploadProgress;
  /** Watches the upload again, after a retry. */
  readonly onRetry: () => void;
  /** The upload need not be shown any more. */
  readonly onDismiss: () => void;
}

export function UploadCard({ progress, onRetry, onDismiss }: UploadCardProps) {
  const { api, link } = useProject();
  const { asset, operation, failure, filename, step } = progress;
  const retry = useMutation(async () => {
    await api.call("POST", `/operations/${asset!.operation_id}/retry`);
    onRetry();
  });
  const remove = useMutation(async () => {
    if (asset !== null && asset.status !== "ready") {
      await api.call("DELETE", `/document-uploads/${asset.id}`);
    }
    onDismiss();
  });
  const waits = operation?.status === "retry";
  const dead = failure !== undefined && !waits;
  return (
    <li class={`upload-card card ${dead ? "dead" : step === STEPS.length ? "done" : ""}`}>
      <div class="upload-head">
        <Icon name="document" />
        <strong class="clip">
          <bdi>{filename}</bdi>
        </strong>
        <span class="faint">{formatBytes(progress.bytes)}</span>
        {asset?.document_id != null && (
          <a class="button small" href={link(`/documents/${asset.document_id}`)}>Open it</a>
        )}
        {asset?.status === "failed" && (
          <button type="button" class="button small" disabled={retry.running} onClick={retry.run}>
            <Icon name="retry" /> Try again
          </button>
        )}
        {(dead || step === STEPS.length || asset?.status === "awaiting_upload") && (
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
      {asset?.status === "awaiting_upload" && progress.sent === null && failure === undefined && (
        <p class="hint">It was announced, but its bytes never came. Choose the file again.</p>
      )}
      {failure !== undefined && <ErrorMessage failure={failure} />}
      {failure !== undefined && (
        <p class="hint">
          {waits
            ? (
              <>
                Attempt {operation.attempts} of {operation.max_attempts} failed. It is tried again
                {" "}
                <Timestamp at={operation.next_attempt_at} />.
              </>
            )
            : ADVICE[failure.code]}
        </p>
      )}
      <ErrorMessage failure={retry.failure ?? remove.failure} />
    </li>
  );
}

function Steps({ progress }: { readonly progress: UploadProgress }) {
  const { step, sent, failure } = progress;
  return (
    <ol class="upload-steps" aria-hidden="true">
      {STEPS.map((name, index) => {
        const state = index < step
          ? "done"
          : index > step
          ? ""
          : failure === undefined
          ? "now"
          : "failed";
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
              {state === "now" && sent !== null && ` ${(sent * 100).toFixed(0)} %`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The same in words. */
function statusText({ filename, step, failure }: UploadProgress): string {
  if (failure !== undefined) return `${filename} failed: ${failure.message}`;
  if (step === STEPS.length) return `${filename} is a document now`;
  return `${filename}: ${ACTIVE_STEPS[step]!.toLowerCase()}`;
}
