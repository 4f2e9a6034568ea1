/** What the runner tells the child process, and what the child leaves for the runner. */
import type { ExtractionErrorCode } from "./error.ts";

/** The child's one argument, as JSON. All paths are absolute. */
export interface ChildRequest {
  readonly inputPath: string;
  /** The child writes `result.json` and `document.md` here. */
  readonly outputDir: string;
  /** Recognized pages are kept here, so that the next attempt goes on where this one ended. */
  readonly checkpointDir: string;
  readonly declaredType: string;
  readonly filename: string;
  readonly maxPages: number;
  readonly maxOutputBytes: number;
}

/** The content of `result.json`. */
export type ChildResult =
  | { readonly ok: true; readonly pageCount: number | null; readonly kind: string }
  | { readonly ok: false; readonly code: ExtractionErrorCode; readonly message: string };

/** The child tells its memory this often: a line on standard output, in bytes. */
export const REPORT_INTERVAL_MS = 50;

export const RESULT_FILE = "result.json";
export const DOCUMENT_FILE = "document.md";

/** Whether a parsed `result.json` is one. */
export function isChildResult(value: unknown): value is ChildResult {
  return typeof value === "object" && value !== null && "ok" in value &&
    typeof value.ok === "boolean" &&
    (value.ok || ("code" in value && "message" in value && typeof value.message === "string"));
}
