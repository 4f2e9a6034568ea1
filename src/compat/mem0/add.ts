/** Adds in mem0's format. */

import { ok } from "../../contract/endpoint.ts";
import type { InferenceEvent } from "../../events/schema.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { WriteResult } from "../../memories/schema.ts";
import { type CommandPart, ignoredFields, type Mem0Deps, responseBody, V1 } from "./calls.ts";
import { entitiesOf } from "./entities.ts";
import { showResult, withMem0Fields } from "./format.ts";
import { type AddBody, addBody } from "./schema.ts";
import { waitFor } from "./tasks.ts";
import { LIMITS } from "../../kernel/limits.ts";

/** What an add returns: the event of an inferred add, or the results of a verbatim one. */
type AddResponse =
  | { readonly event_id: string; readonly message: string; readonly status: string }
  | { readonly results: readonly WriteResult[] };

/** An add that returns an event if it's inferred, like mem0's platform. */
export function add(deps: Mem0Deps): CommandPart<unknown, unknown, AddBody> {
  const v1 = new V1(deps.endpoints);
  return {
    body: addBody,
    maxBodyBytes: LIMITS.addMemoryBodyBytes,
    async change(call) {
      const { body, leftOut } = toV1(call.body);
      const change = await v1.change("addMemories", call, { body });
      const ignored = ignoredFields(call.body, addBody.shape, leftOut);
      return async (tx) => {
        const added = responseBody(await change(tx)) as AddResponse;
        return ok({
          ...("results" in added ? { results: added.results.map(showResult) } : added),
          ...ignored,
        });
      };
    },
  };
}

/** An add that returns results even if it's inferred, like mem0's own server. */
export function addAndWait(deps: Mem0Deps): CommandPart<unknown, unknown, AddBody> {
  return {
    ...add(deps),
    async finish({ actor }, response) {
      const added = responseBody(response) as AddResponse;
      if ("results" in added) return response;
      const event = await waitFor(
        deps,
        () => deps.events.get(actor.project, added.event_id),
        ({ status }) => status === "SUCCEEDED" || status === "FAILED",
      );
      if (event.status === "FAILED") throw inferenceFailed(event);
      const { event_id, ...rest } = added;
      const results = event.results.map(showResult);
      return event.status === "SUCCEEDED"
        ? ok({ results, ...("ignored" in rest ? { ignored: rest.ignored } : {}) })
        : ok({ results, event_id, ...rest });
    },
  };
}

function inferenceFailed({ id, error }: InferenceEvent): ApiError {
  const message = `Inference failed: ${
    error?.message ?? "unknown error"
  }; event "${id}" has details`;
  return new ApiError("INTERNAL_ERROR", message);
}

/** Translates the body of an add. `leftOut` says which parts of messages aren't text. */
function toV1(body: AddBody): { readonly body: unknown; readonly leftOut: readonly string[] } {
  const { app_id, ...scopes } = { ...entitiesOf(body.filters), ...entitiesOf(body) };
  const leftOut: string[] = [];
  const messages = body.messages.map(({ role, content }, index) => ({
    role,
    content: typeof content === "string" ? content : content.flatMap((part, position) => {
      if (typeof part === "string") return part;
      if (typeof part.text === "string") return part.text;
      leftOut.push(`messages.${index}.content.${position}`);
      return [];
    }).join("\n"),
  }));
  return {
    leftOut,
    body: {
      messages,
      // An app alone can't own a memory, so it becomes the agent as well.
      ...(Object.keys(scopes).length === 0 && app_id !== undefined ? { agent_id: app_id } : scopes),
      metadata: withMem0Fields(body.metadata, { app_id, expiration_date: body.expiration_date }),
      infer: body.infer,
      event_date: body.timestamp,
    },
  };
}
