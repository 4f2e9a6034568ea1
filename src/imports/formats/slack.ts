/**
 * Slack's workspace export: a folder per channel with a file per day. A thread becomes a document,
 * and so does a day of a channel's other messages.
 */

import { Omissions } from "../conversations.ts";
import { elementsOf, isObject, type JsonObject } from "../json.ts";
import type { ImportFormat, SetAside, SourceItem } from "../model.ts";
import { NameTable } from "../name_table.ts";
import { invalidImport, type SourceFile, type SourceFiles } from "../source_files.ts";
import { timeOf } from "../times.ts";

const DAY_FILE = /^(?:.*\/)?([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/;

export const slack: ImportFormat = {
  name: "slack",
  title: "Slack",
  files: "the zip of a workspace export",
  requiresOwner: true,
  async *read(source) {
    const channels = Map.groupBy(
      source.files.filter(({ name }) => DAY_FILE.test(name)),
      ({ name }) => DAY_FILE.exec(name)![1]!,
    );
    if (channels.size === 0) {
      throw invalidImport("The file is not a Slack export: it has no CHANNEL/YYYY-MM-DD.json");
    }
    const people = await peopleOf(source);
    const omissions = new Omissions();
    for (const [channel, files] of channels) {
      const days = files.toSorted((a, b) => a.name < b.name ? -1 : 1);
      yield* channelItems(channel, days, people, omissions);
    }
    yield* omissions.items();
  },
};

/** Returns the names of people by their ids. */
async function peopleOf(source: SourceFiles): Promise<NameTable> {
  const people = new NameTable();
  const file = source.files.find(({ name }) => /(^|\/)users\.json$/.test(name));
  if (file === undefined) return people;
  for await (const element of elementsOf(file, [])) {
    if (element.kind === "set_aside") continue;
    const { id, name, profile } = element.value;
    const names = isObject(profile) ? [profile["display_name"], profile["real_name"]] : [];
    const known = [...names, name].find((text) => typeof text === "string" && text !== "");
    if (typeof id === "string" && typeof known === "string") people.set(id, known);
  }
  return people;
}

/** Maximum size of a channel, in bytes. Its texts are in memory at once. */
const MAX_CHANNEL_BYTES = 128 * 1024 * 1024;

/** Messages that become one document. */
interface Group {
  readonly key: string;
  readonly title: string;
  readonly messages: { readonly time: string | null; readonly text: string }[];
}

/**
 * Yields a channel's documents. Replies can be days apart, so all texts of a channel are in memory
 * at once.
 */
async function* channelItems(
  channel: string,
  files: readonly SourceFile[],
  people: NameTable,
  omissions: Omissions,
): AsyncGenerator<SourceItem> {
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_CHANNEL_BYTES) {
    const reason = `The channel has more than ${MAX_CHANNEL_BYTES} bytes`;
    yield { kind: "set_aside", where: channel, reason };
    return;
  }
  const groups = new Map<string, Group>();
  for (const file of files) {
    const day = DAY_FILE.exec(file.name)![2]!;
    for await (const element of elementsOf(file, [])) {
      if (element.kind === "set_aside") yield element satisfies SetAside;
      else addMessage(groups, channel, day, element.value, people, omissions);
    }
  }
  for (const { key, title, messages } of groups.values()) {
    yield {
      kind: "document",
      where: key,
      source_key: key,
      title,
      content: `# ${title}\n\n${messages.map(({ text }) => text).join("\n\n")}\n`,
      metadata: { channel },
      created_at: messages.map(({ time }) => time).find((time) => time !== null),
    };
  }
}

function addMessage(
  groups: Map<string, Group>,
  channel: string,
  day: string,
  message: JsonObject,
  people: NameTable,
  omissions: Omissions,
): void {
  const { text, subtype, files, ts, thread_ts } = message;
  omissions.add("files", Array.isArray(files) ? files.length : 0);
  if (typeof subtype === "string" && /_(join|leave|topic|purpose|name|archive)$/.test(subtype)) {
    omissions.add("service messages");
    return;
  }
  if (typeof text !== "string" || text.trim() === "") return;
  const isThread = typeof thread_ts === "string";
  const key = `slack/${channel}/${isThread ? thread_ts : day}`;
  const time = timeOf(Number(ts));
  const group = groups.get(key) ??
    { key, title: isThread ? `#${channel}: thread` : `#${channel}, ${day}`, messages: [] };
  const when = time === null ? "" : ` (${time.slice(0, 16).replace("T", " ")})`;
  group.messages.push({
    time,
    text: `**${speakerOf(message, people)}**${when}: ${plainText(text, people)}`,
  });
  groups.set(key, group);
}

function speakerOf({ user, username, user_profile }: JsonObject, people: NameTable): string {
  const profile = isObject(user_profile) ? user_profile["real_name"] : undefined;
  const names = [people.get(String(user)), profile, username, user];
  return String(names.find((name) => typeof name === "string" && name !== "") ?? "Unknown");
}

/**
 * Replaces Slack's notation for people, channels, links and escaped characters. A notation contains
 * no `<`, which Slack escapes, so no character is read for more than one of them.
 */
function plainText(text: string, people: NameTable): string {
  return text
    .replaceAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g, (_, id: string) => `@${people.get(id) ?? id}`)
    .replaceAll(/<#[A-Z0-9]+\|([^<>]*)>/g, "#$1")
    .replaceAll(/<(https?:[^<|>]+)\|([^<>]*)>/g, "[$2]($1)")
    .replaceAll(/<((?:https?|mailto):[^<|>]+)>/g, "$1")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
