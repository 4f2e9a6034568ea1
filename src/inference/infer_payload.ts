/** The payload of an inference task, i.e. an inferred add. */

import type { Scope } from "../contract/fields.ts";
import type { Message } from "./extractor.ts";

/** Request fields, plus `requested_at`, the time of the request. */
export interface InferPayload extends Scope {
  readonly messages?: readonly Message[];
  readonly content?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly event_date?: string;
  readonly project_id?: string;
  readonly request_id: string;
  readonly requested_at: string;
}
