/** Mailboxes in the mbox format (RFC 4155), as Thunderbird, Gmail and Apple Mail export them. */

import { Budget } from "../../extraction/budget.ts";
import { ExtractionError } from "../../extraction/error.ts";
import { ByteBuffer } from "../../kernel/bytes/byte_buffer.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { Omissions } from "../conversations.ts";
import type { ImportFormat, SourceItem } from "../model.ts";
import { filesNamed, invalidImport, type SourceFile } from "../source_files.ts";

/** Maximum size of the text in one message, in bytes. Longer texts become several documents. */
const MAX_TEXT_BYTES = 8 * LIMITS.documentBytes;

export const mbox: ImportFormat = {
  name: "mbox",
  title: "mbox",
  files: "a mailbox, or an archive of them",
  requiresOwner: true,
  async *read(source) {
    const files = filesNamed(source, /(\.mbox|(^|\/)mbox)$/i, "file that ends in .mbox");
    const omissions = new Omissions();
    for (const file of files) {
      let number = 0;
      for await (const message of messagesOf(file)) {
        const where = `${file.name}: message ${++number}`;
        yield message === null
          ? { kind: "set_aside", where, reason: TOO_LARGE }
          : await messageItem(where, message, omissions);
      }
    }
    yield* omissions.items();
  },
};

const TOO_LARGE = `The message is larger than ${LIMITS.importTextFileBytes} bytes`;

async function messageItem(
  where: string,
  bytes: Uint8Array,
  omissions: Omissions,
): Promise<SourceItem> {
  const [{ messageBlocks, parseEmail }, { writeMarkdown }] = await Promise.all([
    import("../../extraction/formats/text/eml.ts"),
    import("../../extraction/writer.ts"),
  ]);
  try {
    const budget = new Budget(MAX_TEXT_BYTES);
    const mail = await parseEmail(bytes, budget);
    const { messageId, subject, from, date, attachments, references, inReplyTo } = mail;
    omissions.add("attachments", attachments.length);
    const thread = references?.split(/\s+/)[0] ?? inReplyTo;
    return {
      kind: "document",
      where,
      source_key: messageId === undefined
        ? undefined
        : `mbox/${messageId.replaceAll(/^<|>$/g, "")}`,
      title: subject === undefined || subject.trim() === "" ? "No subject" : subject,
      content: writeMarkdown(messageBlocks(mail, budget), MAX_TEXT_BYTES),
      metadata: {
        ...from?.address !== undefined && { from: from.address },
        ...thread !== undefined && { thread: thread.replaceAll(/^<|>$/g, "") },
      },
      created_at: dateOf(date),
    };
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { kind: "set_aside", where, reason: error.message };
  }
}

/** Returns a Date header as an ISO text. The parser leaves those that it can't read as they are. */
function dateOf(date: string | undefined): string | null {
  const time = Date.parse(date ?? "");
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Longest line to yield at once, in bytes. Only its beginning matters. */
const MAX_LINE_BYTES = 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SEPARATOR = new TextEncoder().encode("From ");

/**
 * Yields each message's bytes, or null for one that is too large. A line that begins with "From "
 * separates messages if it follows an empty line.
 */
async function* messagesOf(file: SourceFile): AsyncGenerator<Uint8Array | null> {
  const message = new MessageBuffer();
  let started = false;
  for await (const line of byteLines(file.bytes())) {
    const separates = SEPARATOR.every((byte, index) => line[index] === byte) &&
      (!started || message.endsWithEmptyLine);
    if (!separates) {
      if (!started) {
        throw invalidImport(`"${file.name}" is not a mailbox: it must begin with "From "`);
      }
      message.append(line);
      continue;
    }
    if (started) yield message.take();
    started = true;
  }
  if (started) yield message.take();
}

/** Yields lines with their line ends. A very long line is yielded in pieces. */
async function* byteLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const rest = new ByteBuffer(Infinity);
  for await (const chunk of bytes) {
    let start = 0;
    for (let end; (end = chunk.indexOf(LINE_FEED, start) + 1) > 0; start = end) {
      const piece = chunk.subarray(start, end);
      if (rest.length === 0) yield piece;
      else {
        rest.append(piece);
        yield rest.take()!;
      }
    }
    rest.append(chunk.subarray(start));
    if (rest.length > MAX_LINE_BYTES) yield rest.take()!;
  }
  if (rest.length > 0) yield rest.take()!;
}

/** Collects a message up to the limit. */
class MessageBuffer {
  readonly #buffer = new ByteBuffer(LIMITS.importTextFileBytes);
  /** Whether the last piece ended its line. The end of a long line isn't an empty one. */
  #endsLine = false;
  endsWithEmptyLine = false;

  append(piece: Uint8Array): void {
    const endsLine = piece.at(-1) === LINE_FEED;
    const isEmpty = piece.length === 1 || (piece.length === 2 && piece[0] === CARRIAGE_RETURN);
    this.endsWithEmptyLine = this.#endsLine && endsLine && isEmpty;
    this.#endsLine = endsLine;
    this.#buffer.append(piece);
  }

  take(): Uint8Array | null {
    [this.#endsLine, this.endsWithEmptyLine] = [true, false];
    return this.#buffer.take();
  }
}
