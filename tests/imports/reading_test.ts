/** Reading files piece by piece, when each piece is only valid until the next one. */

import { deepStrictEqual, match } from "node:assert/strict";
import { markdown } from "../../src/imports/formats/markdown.ts";
import { mbox } from "../../src/imports/formats/mbox.ts";
import { slack } from "../../src/imports/formats/slack.ts";
import type { SourceFile, SourceFiles } from "../../src/imports/source_files.ts";
import { NameTable } from "../../src/imports/name_table.ts";
import { linesOf } from "../../src/imports/text.ts";
import { timeOf } from "../../src/imports/times.ts";

/** Yields a text in pieces through one buffer. */
async function* throughOneBuffer(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const buffer = new Uint8Array(size);
  for (let start = 0; start < bytes.length; start += size) {
    const piece = bytes.subarray(start, start + size);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0);
  }
}

function fileOf(name: string, text: string, size = 64 * 1024): SourceFile {
  const bytes = () => throughOneBuffer(text, size);
  return { name, size: text.length, modifiedAt: null, bytes };
}

function sourceOf(files: readonly SourceFile[]): SourceFiles {
  return { files, isArchive: files.length > 1, close: () => Promise.resolve() };
}

for (const size of [1, 7, 100_000]) {
  Deno.test(`linesOf() reads lines from pieces of ${size} bytes`, async () => {
    const lines = ["", "one", "é".repeat(30_000), "x".repeat(200_000), "last"];
    const read = await Array.fromAsync(
      linesOf(throughOneBuffer(lines.join("\r\n"), size), 100_000),
    );
    deepStrictEqual(read, [
      { number: 1, text: "" },
      { number: 2, text: "one" },
      { number: 3, text: lines[2] },
      { number: 4, problem: "The line is longer than 100000 bytes" },
      { number: 5, text: "last" },
    ]);
  });
}

for (const size of [1_000, 1024 * 1024]) {
  Deno.test(`mbox finds the end of a message after a long line, in pieces of ${size}`, async () => {
    // The pieces of the long line are such that its last one is only a line end.
    const long = "x".repeat(3 * 1024 * 1024);
    const head = "From a@example.org\nSubject: Long\n\n";
    const text = `${head}${long}\nFrom the mill\n\nFrom b@example.org\nSubject: Second\n\nRye.\n`;
    const items = await Array.fromAsync(mbox.read(sourceOf([fileOf("mail.mbox", text, size)])));
    deepStrictEqual(items.map((item) => item.kind === "document" && item.title), [
      "Long",
      "Second",
    ]);
  });
}

Deno.test("mbox doesn't take a line of one letter for the empty line between messages", async () => {
  const text = "From a@example.org\nSubject: List\n\nHello\n1\nFrom here on it's text.\n";
  const items = await Array.fromAsync(mbox.read(sourceOf([fileOf("mail.mbox", text)])));
  deepStrictEqual(items.map((item) => "title" in item ? item.title : item), ["List"]);
});

Deno.test("mbox sets a message over the limit aside and reads the next one", async () => {
  const mail = (subject: string, text: string) =>
    `From a@example.org\nSubject: ${subject}\n\n${text}\n\n`;
  const big = "A line of a long message.\n".repeat(700_000);
  const text = mail("First", "Rye.") + mail("Big", big) + mail("Last", "Bread.");
  const items = await Array.fromAsync(mbox.read(sourceOf([fileOf("mail.mbox", text)])));
  deepStrictEqual(items.map((item) => "title" in item ? item.title : item), [
    "First",
    {
      kind: "set_aside",
      where: "mail.mbox: message 2",
      reason: "The message is larger than 16777216 bytes",
    },
    "Last",
  ]);
});

Deno.test("slack sets a channel over the limit aside without reading it", async () => {
  const message = JSON.stringify([{ type: "message", text: "Hello", ts: "1714989600.1" }]);
  const half: SourceFile = {
    ...fileOf("big/2024-05-06.json", message),
    size: 64 * 1024 * 1024 + 1,
    bytes: () => {
      throw new Error("Must not be read");
    },
  };
  const files = [
    half,
    { ...half, name: "big/2024-05-07.json" },
    fileOf("mill/2024-05-06.json", message),
  ];
  const items = await Array.fromAsync(slack.read(sourceOf(files)));
  deepStrictEqual(items.map((item) => item.kind === "document" ? item.source_key : item), [
    {
      kind: "set_aside",
      where: "big",
      reason: "The channel has more than 134217728 bytes",
    },
    "slack/mill/2024-05-06",
  ]);
});

Deno.test("slack reads a notation that isn't closed as text", async () => {
  const text = "<@U1|Ana <@U2|Ben> likes <https://a.org|x <https://b.org|this>";
  const message = JSON.stringify([{ type: "message", text, ts: "1714989600.1" }]);
  const files = [fileOf("mill/2024-05-06.json", message)];
  const [item] = await Array.fromAsync(slack.read({ ...sourceOf(files), isArchive: true }));
  const { content } = item as { content: string };
  match(content, /: <@U1\|Ana @U2 likes <https:\/\/a\.org\|x \[this\]\(https:\/\/b\.org\)\n$/);
});

Deno.test("timeOf() reads spaces around the parts of a time, up to the length of one", () => {
  deepStrictEqual(timeOf("2024-05-06  07:08:10 +02"), "2024-05-06T05:08:10.000Z");
  deepStrictEqual(timeOf(`2024-05-06 07:08:10${" ".repeat(1_000)}+02`), null);
});

Deno.test("NameTable leaves names out once it's full, and keeps those that it has", () => {
  const names = new NameTable();
  for (let n = 0; n < 200_000; n++) names.set(`id-${n}`, `Name ${n}`);
  deepStrictEqual(names.get("id-0"), "Name 0");
  deepStrictEqual(names.get("id-199999"), undefined);
  names.set("long", "x".repeat(10_000_000));
  deepStrictEqual(names.get("long"), undefined);
});

for (
  const [field, expected] of [
    ["2024", "2024-01-01T00:00:00.000Z"],
    ["202405", "2024-05-01T00:00:00.000Z"],
    ["20240501", "2024-05-01T00:00:00.000Z"],
    ["202405011230", "2024-05-01T12:30:00.000Z"],
    ['"20240501123045"', "2024-05-01T12:30:45.000Z"],
    ["1714566645", "2024-05-01T12:30:45.000Z"],
    ["1714566645.5", "2024-05-01T12:30:45.500Z"],
    ["1714566645000", "2024-05-01T12:30:45.000Z"],
    ["2024-05-01 12:30", "2024-05-01T12:30:00.000Z"],
    ["20241301", null],
    ["202499999999", null],
    ["12", null],
    ["-2024", null],
    ["true", null],
    ["{ toString: 1 }", null],
  ] as const
) {
  Deno.test(`markdown reads the date ${field} as ${expected}`, async () => {
    const note = fileOf("note.md", `---\ndate: ${field}\n---\nBoils.\n`);
    const items = await Array.fromAsync(markdown.read(sourceOf([note])));
    deepStrictEqual(items.map((item) => item.kind === "document" && item.created_at), [expected]);
  });
}
