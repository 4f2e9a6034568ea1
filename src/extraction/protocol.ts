/**
 * Defines what the runner and the child process exchange: the child's argument and its result
 * files.
 */
import type { ExtractionErrorCode } from "./error.ts";

/** The child process's argument, as JSON. All paths are absolute. */
export interface ChildRequest {
  readonly inputPath: string;
  /** Folder where the child writes `result.json` and `document.md`. */
  readonly outputDir: string;
  /** Folder for recognized pages, so that a retry picks up after the last one. */
  readonly checkpointDir: string;
  readonly declaredType: string;
  readonly filename: string;
  readonly maxPages: number;
  readonly maxOutputBytes: number;
}

/** Content of `result.json`. */
export type ChildResult =
  | { readonly ok: true; readonly pageCount: number | null; readonly kind: string }
  | { readonly ok: false; readonly code: ExtractionErrorCode; readonly message: string };

/**
 * Interval between the child's memory reports, in milliseconds. A report is a line on standard
 * output containing the number of bytes.
 */
export const REPORT_INTERVAL_MS = 50;

/** Name of the result file in the output folder. */
export const RESULT_FILE = "result.json";
/** Name of the Markdown file in the output folder. */
export const DOCUMENT_FILE = "document.md";

/** Checks whether a parsed `result.json` has the expected shape. */
export function isChildResult(value: unknown): value is ChildResult {
  return typeof value === "object" && value !== null && "ok" in value &&
    typeof value.ok === "boolean" &&
    (value.ok || ("code" in value && "message" in value && typeof value.message === "string"));
}
