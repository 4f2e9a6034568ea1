/** The command of an inferred add, as the queue keeps it. */

import type { Scope } from "../contract/fields.ts";
import type { Message } from "./extractor.ts";

export interface InferPayload extends Scope {
  readonly messages?: readonly Message[];
  readonly content?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly event_date?: string;
  readonly project_id?: string;
  readonly request_id: string;
  readonly requested_at: string;
}
