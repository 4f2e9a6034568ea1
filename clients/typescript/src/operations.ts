/** Work in the background: operations, and the events of inferred adds. */

import { type PageFields, poll, Resource, type Schemas, type WaitOptions } from "./caller.ts";
import { InferenceFailed, OperationFailed } from "./errors.ts";
import { path, type RequestOptions, TRANSFER_TIMEOUT_MS } from "./http.ts";
import type { Pages } from "./pages.ts";

type Operation = Schemas["Operation"];
type InferenceEvent = Schemas["InferenceEvent"];

const OPERATION_TIMEOUT_MS = 600_000;
const INFERENCE_TIMEOUT_MS = 60_000;

/** Statuses with which an operation ends, and whether it succeeded. */
const ENDS: Readonly<Partial<Record<Operation["status"], boolean>>> = {
  success: true,
  committed: true,
  dead: false,
  failed: false,
  cancelled: false,
};

/** Which operations to list. */
export interface OperationFields extends PageFields {
  readonly status?: Operation["status"];
  readonly kind?: Operation["kind"];
}

/** Operations: batches, extractions, exports and imports. */
export class Operations extends Resource {
  get(id: string, options?: RequestOptions): Promise<Operation> {
    return this.caller.get(path`/v1/operations/${id}`, undefined, options);
  }

  list(fields?: OperationFields, options?: RequestOptions): Pages<Operation> {
    return this.caller.list("/v1/operations", fields, options);
  }

  /** Starts an operation again that is dead or waits for its next attempt. */
  retry(id: string, options?: RequestOptions): Promise<Operation> {
    return this.caller.send({ method: "POST", path: path`/v1/operations/${id}/retry` }, options);
  }

  /** Returns the archive of an export in an open format. */
  file(id: string, options?: RequestOptions): Promise<Uint8Array> {
    const request = {
      method: "GET",
      path: path`/v1/operations/${id}/file`,
      receivesFile: true,
    } as const;
    return this.caller.send(request, { timeout: TRANSFER_TIMEOUT_MS, ...options });
  }

  /**
   * Waits until an operation has succeeded, for 10 minutes by default.
   *
   * @throws OperationFailed if it ends without success
   * @throws TimedOut if it takes longer; it goes on in the background
   */
  async wait(
    operation: string | { readonly id: string },
    options: WaitOptions<Operation> = {},
  ): Promise<Operation> {
    const id = typeof operation === "string" ? operation : operation.id;
    const ended = await poll(
      this.caller,
      `Operation ${id}`,
      (requestOptions) => this.get(id, requestOptions),
      ({ status }) => status in ENDS,
      { ...options, timeout: options.timeout ?? OPERATION_TIMEOUT_MS },
    );
    if (ENDS[ended.status]) return ended;
    throw new OperationFailed(ended);
  }
}

/** Which events to list. */
export interface EventFields extends PageFields {
  readonly status?: InferenceEvent["status"];
}

/** Events: what inferred adds have made of their texts. */
export class Events extends Resource {
  get(id: string, options?: RequestOptions): Promise<InferenceEvent> {
    return this.caller.get(path`/v1/events/${id}`, undefined, options);
  }

  list(fields?: EventFields, options?: RequestOptions): Pages<InferenceEvent> {
    return this.caller.list("/v1/events", fields, options);
  }

  /**
   * Waits until inference has succeeded, for a minute by default.
   *
   * @throws InferenceFailed if it fails
   * @throws TimedOut if it takes longer; it goes on in the background
   */
  async wait(id: string, options: WaitOptions<InferenceEvent> = {}): Promise<InferenceEvent> {
    const event = await poll(
      this.caller,
      `Inference ${id}`,
      (requestOptions) => this.get(id, requestOptions),
      ({ status }) => status === "SUCCEEDED" || status === "FAILED",
      { ...options, timeout: options.timeout ?? INFERENCE_TIMEOUT_MS },
    );
    if (event.status === "SUCCEEDED") return event;
    throw new InferenceFailed(event);
  }
}
