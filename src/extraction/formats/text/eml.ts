/** Reads e-mail: subject, people, date, message text and attachment names. */
import PostalMime, { type Address, type Email } from "postal-mime";
import type { Budget } from "../../budget.ts";
import { corrupt } from "../../error.ts";
import { MAX_MAIL_DEPTH, MAX_MAIL_PARTS } from "../../limits.ts";
import type { Block, ExtractedDocument, Span } from "../../model.ts";
import { append, heading } from "../../model.ts";
import { htmlBlocks } from "../html/html.ts";

/** Reads an e-mail message. Throws DOCUMENT_CORRUPT if it's damaged or nested too deeply. */
export async function readEmail(bytes: Uint8Array, budget: Budget): Promise<ExtractedDocument> {
  return { blocks: messageBlocks(await parseEmail(bytes, budget), budget) };
}

/** Parses a message. Throws DOCUMENT_CORRUPT if it's damaged or nested too deeply. */
export async function parseEmail(bytes: Uint8Array, budget: Budget): Promise<Email> {
  checkMailLimits(bytes, budget);
  return await parseMessage(bytes);
}

/**
 * Checks the limits up front. The parser recurses into nested messages and stores each line
 * separately, whereas counting headers and lines is cheap.
 */
function checkMailLimits(bytes: Uint8Array, budget: Budget): void {
  // Two elements per line, since the parser stores a line and its ending separately.
  budget.addElements(2 * bytes.reduce((lines, byte) => byte === 0x0a ? lines + 1 : lines, 0));
  const text = new TextDecoder("latin1").decode(bytes);
  const nested = text.match(/^content-type:\s*message\/rfc822/gim)?.length ?? 0;
  const parts = text.match(/^content-type:/gim)?.length ?? 0;
  if (nested > MAX_MAIL_DEPTH || parts > MAX_MAIL_PARTS * 4) {
    throw corrupt(`The message has too many parts or nests more than ${MAX_MAIL_DEPTH} messages`);
  }
}

async function parseMessage(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, {
      maxNestingDepth: MAX_MAIL_DEPTH,
      attachmentEncoding: "arraybuffer",
    });
  } catch (error) {
    throw corrupt("The message is damaged and cannot be read", error);
  }
}

/** Returns a message's subject, people, date, text and attachment names. */
export function messageBlocks(mail: Email, budget: Budget): Block[] {
  const blocks: Block[] = [];
  if (mail.subject !== undefined && mail.subject.trim() !== "") {
    blocks.push(heading(1, mail.subject));
  }
  const header = headerSpans(mail);
  if (header.length > 0) blocks.push({ kind: "paragraph", spans: header });
  append(blocks, bodyBlocks(mail, budget));
  const attachments = mail.attachments.filter((attachment) =>
    !(attachment.related && /^image\//.test(attachment.mimeType))
  );
  if (attachments.length > 0) {
    blocks.push({ kind: "paragraph", spans: [{ text: "Attachments:", bold: true }] });
    for (const { content, filename, mimeType } of attachments) {
      const size = typeof content === "string" ? content.length : content.byteLength;
      const text = `${filename ?? "unnamed"} (${mimeType}, ${size} bytes)`;
      blocks.push({ kind: "item", level: 0, list: "attachments", spans: [{ text }] });
    }
  }
  return blocks;
}

function headerSpans(mail: Email): Span[] {
  const lines: (readonly [string, string])[] = [
    ["From", mail.from === undefined ? "" : formatAddress(mail.from)],
    ["To", (mail.to ?? []).map(formatAddress).join(", ")],
    ["Cc", (mail.cc ?? []).map(formatAddress).join(", ")],
    ["Date", mail.date ?? ""],
  ];
  return lines.filter(([, value]) => value !== "").flatMap(([name, value], index) => [
    { text: `${index === 0 ? "" : "\n"}${name}: `, bold: true },
    { text: value },
  ]);
}

function formatAddress(address: Address): string {
  if (address.group !== undefined) {
    return `${address.name}: ${address.group.map(formatAddress).join(", ")}`;
  }
  const mail = address.address ?? "";
  if (address.name === "" || address.name === mail) return mail;
  return mail === "" ? address.name : `${address.name} (${mail})`;
}

/**
 * Returns the HTML part unless it's empty, since HTML keeps links and tables. Otherwise returns the
 * plain text.
 */
function bodyBlocks(mail: Email, budget: Budget): Block[] {
  const html = mail.html === undefined ? [] : htmlBlocks(mail.html, budget);
  if (html.some((block) => block.kind !== "image")) return html;
  budget.addText(mail.text ?? "");
  const text = (mail.text ?? "").replace(/\r\n?/g, "\n").trim();
  return text.split(/\n{2,}/).filter((part) => part.trim() !== "").map((part): Block => ({
    kind: "paragraph",
    spans: [{ text: part }],
  }));
}
