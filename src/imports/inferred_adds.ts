/** Turns messages of a source into inferred adds, if an import asks for inference. */

import type { Scope } from "../contract/fields.ts";
import { sha256 } from "../kernel/hash.ts";
import { datedId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isBlank, storableText, utf8Length } from "../kernel/text.ts";
import { type AddBody, addBody } from "../memories/schema.ts";
import type { SourceMessage } from "./model.ts";
import { splitText } from "./split_text.ts";
import { timeOf } from "./times.ts";

/** An inferred add. Importing the same messages again yields the same ids. */
export interface InferredAdd {
  /** Id of the task that reads the messages up to each one. The last is that of this add. */
  readonly ids: readonly string[];
  readonly body: AddBody;
}

/** What all adds of a record share. */
export interface AddOrigin {
  readonly owners: { readonly [key in keyof Scope]-?: string | null };
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Identifies the record, its source and its owners. */
  readonly identity: string;
  readonly createdAt: string;
}

/** Leaves room in an add for the roles and dates around the texts. */
const MAX_ADD_BYTES = LIMITS.addMemoryBodyBytes / 2;
const MAX_ADD_MESSAGES = LIMITS.messages / 5;

/** Returns the adds for what people said in a conversation, in order. */
export function inferredAdds(
  messages: readonly SourceMessage[],
  { owners, metadata, identity, createdAt }: AddOrigin,
): InferredAdd[] {
  const said = messages.filter(({ role, content }) => role === "user" && !isBlank(content))
    .map(({ content, ...message }) => ({ ...message, content: storableText(content) }));
  const parts = said.flatMap(({ content, ...message }) =>
    splitText(content, MAX_ADD_BYTES).map((part) => ({ ...message, content: part }))
  );
  return groupsOf(parts).map((group, index) => ({
    ids: digestsOf(group).map((digest) =>
      datedId("task", Date.parse(createdAt), `${identity} ${index} ${digest}`)
    ),
    body: addBody.parse({
      ...Object.fromEntries(Object.entries(owners).filter(([, value]) => value !== null)),
      messages: group.map(({ content, created_at }) => {
        const time = timeOf(created_at) ?? createdAt;
        return { role: "user", content, created_at: time };
      }),
      metadata,
      infer: true,
    }),
  }));
}

/**
 * Returns an add without the messages that existing tasks have read, or null if nothing is left. An
 * earlier import can have ended in the middle of a group, since people continue conversations.
 */
export function unreadPart(
  { ids, body }: InferredAdd,
  existing: ReadonlySet<string>,
): { readonly id: string; readonly body: AddBody } | null {
  const read = ids.findLastIndex((id) => existing.has(id)) + 1;
  if (read === ids.length) return null;
  return { id: ids.at(-1)!, body: { ...body, messages: body.messages!.slice(read) } };
}

/** Returns a digest for each message: that of all messages up to it. */
function digestsOf(messages: readonly SourceMessage[]): string[] {
  let digest = "";
  return messages.map(({ content }) => digest = sha256(`${digest}${content}`));
}

function groupsOf(messages: readonly SourceMessage[]): SourceMessage[][] {
  const groups: SourceMessage[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = utf8Length(message.content);
    if (bytes + size > MAX_ADD_BYTES || groups.at(-1)!.length >= MAX_ADD_MESSAGES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(message);
    bytes += size;
  }
  return groups;
}
