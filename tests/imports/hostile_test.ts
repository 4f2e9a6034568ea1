/** Hostile and damaged files end in a named error, and nothing of them is imported. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { SAMPLES } from "./samples.ts";
import { bytesOf, importFile, recordsOf, type Sample, sendFile } from "./imports.ts";

const MEMORY = { id: "1", memory: "Ana keeps honeybees", user_id: "ana" };
const LIST = JSON.stringify([MEMORY, { ...MEMORY, id: "2" }]);
const DEEP = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;

/** A line over the limit. One of a gigabyte takes the same path: only a part is ever in memory. */
const ENDLESS = "x".repeat(17 * 1024 * 1024);

/** What is sent, and the message of the error. */
const REFUSED: readonly [
  what: string,
  format: string,
  file: Sample | (() => Promise<Sample>),
  RegExp,
][] = [
  ["a truncated list", "mem0", LIST.slice(0, -20), /is not JSON: Text ends before the value does/],
  ["a list that never ends", "mem0", LIST.slice(0, -1), /is not JSON/],
  ["bytes after the end", "mem0", `${LIST} x`, /Expected the end of the text/],
  ["10,000 nested lists", "mem0", DEEP, /Nothing in the file .* nested deeper than 64 levels/],
  ["a record nested 10,000 deep", "mem0", `[{"memory": ${DEEP}}]`, /nested deeper than 64 levels/],
  ["nesting where it is passed over", "mem0", `{"x": ${DEEP}, "results": []}`, /nested deeper/],
  ["an object without a list", "mem0", "{}", /must be a list, or an object with results/],
  ["a number", "chatgpt", "17", /must be a list/],
  ["no bytes", "mem0", "", /must be a list/],
  ["bytes that aren't UTF-8", "mem0", new Uint8Array([0x5b, 0x22, 0xff, 0x22]), /is not/],
  ["a PDF", "jsonl", "%PDF-1.7\n1 0 obj", /Nothing in the file can be imported: .*Not valid JSON/],
  ["an archive without the file", "chatgpt", { "chat.html": "x" }, /no conversations\.json/],
  ["an archive without the memories", "mem0", { "a.json": "[]" }, /has no memories\.json/],
  ["an archive without lines", "jsonl", { "a.json": "{}" }, /has no file that ends in \.jsonl or/],
  ["an archive without a graph", "server-memory", { "a.txt": "x" }, /has no memory\.jsonl/],
  ["an archive without an agent", "letta", { "a.txt": "x" }, /has no file that ends in \.af/],
  ["an archive without JSON", "mcp-memory-service", { "a.txt": "x" }, /has no JSON file/],
  ["an archive without graphs", "zep", { "a.txt": "x" }, /has no JSON file/],
  ["an archive without mail", "mbox", { "a.txt": "x" }, /has no file that ends in \.mbox/],
  ["an archive without notes", "markdown", { "a.png": "x" }, /no note/],
  ["an archive without days", "slack", { "users.json": "[]" }, /not a Slack export/],
  ["no mailbox", "mbox", "Dear Ana,", /not a mailbox/],
  ["one endless line", "jsonl", ENDLESS, /line 1: The line is longer than 16777216 bytes/],
  [
    "one endless text",
    "mem0",
    `{"x": "${ENDLESS}`,
    /is not JSON: Value is larger than 16777216 bytes/,
  ],
  ["one endless record", "mem0", `[{"memory": "${ENDLESS}`, /Text ends before the value does/],
  ["an endless agent", "letta", ENDLESS, /The file is larger than 16777216 bytes/],
  ["an endless line of mail", "mbox", ENDLESS, /not a mailbox/],
  ["an endless note", "markdown", { "a.md": ENDLESS }, /The file is larger than 16777216 bytes/],
  [
    "an archive that is one endless text",
    "chatgpt",
    { "conversations.json": `["${ENDLESS}` },
    /not/,
  ],
  ["a text nested 10,000 deep", "letta", JSON.stringify(`{"name": ${DEEP}}`), /Nested deeper than/],
  ["a text that isn't JSON", "letta", '"{"', /imported: Not valid JSON/],
  ["no agent", "letta", "{}", /an agent has no name/],
  ["an archive of other JSON", "letta", { "a.json": "[]" }, /a\.json: Not an agent file/],
  ["one damaged project", "claude", { "projects/a.json": "{" }, /a\.json: Not valid JSON/],
  ["a truncated archive", "chatgpt", async () => {
    const bytes = await bytesOf({ "conversations.json": LIST });
    return bytes.subarray(0, bytes.length - 30);
  }, /archive can't be read/],
  ["an archive whose content is damaged", "claude", async () => {
    const bytes = await bytesOf({ "conversations.json": LIST });
    return bytes.fill(0xff, 60, 90);
  }, /"conversations\.json" in the archive can't be read/],
  ["a path out of the archive", "markdown", async () => {
    const bytes = await bytesOf({ "aa/aa/aa.md": "x" });
    return replaced(bytes, "aa/aa/aa.md", "../../aa.md");
  }, /archive can't be read: invalid relative path/],
  ["an absolute path", "markdown", async () => {
    const bytes = await bytesOf({ "aa/aa.md": "x" });
    return replaced(bytes, "aa/aa.md", "/a/aa.md");
  }, /archive can't be read: absolute path/],
];

Deno.test("POST /v1/imports/{format} refuses files that can't be read, and changes nothing", async (t) => {
  await withServer(async ({ call }) => {
    for (const [what, format, given, message] of REFUSED) {
      await t.step(what, async () => {
        const file = typeof given === "function" ? await given() : given;
        const refused = await sendFile(call, format, file, "?user_id=ana");
        strictEqual(refused.status, 400, refused.text);
        strictEqual(refused.json.code, "INVALID_IMPORT");
        match(refused.json.message, message);
        ok(!refused.text.includes("honeybees"), "an error reveals no content");
      });
    }
    await t.step("nothing was imported", async () => {
      deepStrictEqual(await recordsOf(call), { memories: [], documents: [], entities: [] });
      const operations = await call("GET", "/v1/operations?kind=import_file");
      deepStrictEqual(operations.json.results, []);
    });
  });
});

Deno.test("POST /v1/imports/{format} refuses an archive that decompresses to gigabytes", async () => {
  await withServer(async ({ call }) => {
    // Each file says that it's 2 GiB. The directory is enough to refuse it.
    const bytes = await bytesOf({ "a.md": "x", "b.md": "y", "c.md": "z" });
    const view = new DataView(bytes.buffer);
    for (let i = 0; i + 4 < bytes.length; i++) {
      if (view.getUint32(i, true) === 0x02014b50) view.setUint32(i + 24, 2 ** 31, true);
    }
    const refused = await sendFile(call, "markdown", bytes, "?user_id=ana");
    strictEqual(refused.json.code, "INVALID_IMPORT");
    match(refused.json.message, /decompresses to more than \d+ bytes/);
  });
});

for (const [format, sample] of Object.entries(SAMPLES)) {
  Deno.test(`POST /v1/imports/${format} of a truncated archive or file changes nothing`, async () => {
    await withServer(async ({ call }) => {
      const bytes = await bytesOf(
        typeof sample.file === "string" || sample.file instanceof Uint8Array
          ? { [ARCHIVED_AS[format] ?? "memories.json"]: sample.file }
          : sample.file,
      );
      const cut = bytes.subarray(0, bytes.length - 40);
      const refused = await sendFile(call, format, cut, sample.query);
      deepStrictEqual([refused.status, refused.json.code], [400, "INVALID_IMPORT"]);
      deepStrictEqual(await recordsOf(call), { memories: [], documents: [], entities: [] });
    });
  });
}

/** The name of a format's single file within an archive, if it isn't `memories.json`. */
const ARCHIVED_AS: Readonly<Record<string, string>> = {
  jsonl: "memories.jsonl",
  "server-memory": "memory.jsonl",
  mbox: "mail.mbox",
};

Deno.test("POST /v1/imports/{format} refuses an archive whose file is larger than it says", async () => {
  await withServer(async ({ call }) => {
    const bytes = await bytesOf({ "a.md": "tea ".repeat(1_000_000) });
    const view = new DataView(bytes.buffer);
    for (let i = 0; i + 4 < bytes.length; i++) {
      if (view.getUint32(i, true) === 0x02014b50) view.setUint32(i + 24, 10, true);
    }
    const refused = await sendFile(call, "markdown", bytes, "?user_id=ana");
    deepStrictEqual([refused.status, refused.json.code], [400, "INVALID_IMPORT"]);
  });
});

Deno.test("POST /v1/imports/{format} sets a broken record aside and imports the others", async () => {
  await withServer(async ({ call }) => {
    const long = "x".repeat(17 * 1024 * 1024);
    const file = [
      '{"id": 1, "content": "First"}',
      `{"id": 2, "content": "${long}"}`,
      `{"id": 3, "content": ${DEEP}}`,
      '{"id": 1, "content": "The same id"}',
      '{"id": 4, "content": 17}',
      '{"id": 5, "content": "Hidden\\u0000 and \\ud800 parts"}',
      '{"id": 6, "content": "Last", "importance": 7}',
      '{"id": 7, "content": "Last", "metadata": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": 1}}}}}}}}}}',
      '{"id": 8, "content": "No time", "created_at": "someday"}',
      '{"id": 9, "content": "A proto", "__proto__": {"user_id": "mallory"}}',
      '{"id": 10, "content": "Fields of others", "messages": [null], "where": "elsewhere"}',
      '{"kind": "document", "id": 11, "content": "Text", "messages": 5}',
    ].join("\n");
    const report = await importFile(call, "jsonl", file, "?user_id=ana");
    deepStrictEqual(
      report.set_aside.first.map(({ where, reason }: Record<string, string>) =>
        `${where}: ${reason}`
      ),
      [
        "line 2: The line is longer than 16777216 bytes",
        "line 3: Nested deeper than 64 levels",
        "line 4: Has the same id as an earlier record",
        "line 5: text: Must be text",
        "line 7: importance: Must be at most 1",
      ],
    );
    deepStrictEqual(report.cut, { metadata: 1 });
    const { memories } = await recordsOf(call);
    const texts = (memories as { memory: { memory: string; user_id: string } }[])
      .map(({ memory }) => memory.memory);
    deepStrictEqual(texts.sort(), [
      "A proto",
      "Fields of others",
      "First",
      "Hidden\ufffd and \ufffd parts",
      "Last",
      "No time",
    ]);
  });
});

Deno.test("POST /v1/imports/{format} sets a broken file of an archive aside and imports the others", async () => {
  const agent = (name: string) =>
    JSON.stringify({ name, core_memory: [{ label: "human", value: "Name: Ana" }] });
  const project = { uuid: "p-1", name: "Baking", prompt_template: "Be brief.", docs: [] };
  const ARCHIVES: readonly [
    format: string,
    files: Readonly<Record<string, string>>,
    setAside: readonly string[],
    documents: readonly string[],
  ][] = [
    ["claude", {
      "projects/cut.json": JSON.stringify(project).slice(0, -5),
      "projects/deep.json": DEEP,
      "projects/large.json": ENDLESS,
      "projects/number.json": "17",
      "projects/p-1.json": JSON.stringify(project),
    }, [
      "projects/cut.json: Not valid JSON",
      "projects/deep.json: Nested deeper than 64 levels",
      "projects/large.json: The file is larger than 16777216 bytes",
      "projects/number.json: Must be a JSON object",
    ], ["claude/p-1/instructions"]],
    ["letta", {
      "a.af": agent("a"),
      "cut.af": agent("cut").slice(0, -5),
      "large.af": ENDLESS,
      "other.json": "{}",
      "settings.json": "[]",
      "z.af": agent("z"),
    }, [
      "cut.af: Not valid JSON",
      "large.af: The file is larger than 16777216 bytes",
      "other.json: Not an agent file: an agent has no name",
      "settings.json: Not an agent file",
    ], ["letta/a/human.md", "letta/z/human.md"]],
  ];
  await withServer(async ({ call }) => {
    const keys: string[] = [];
    for (const [format, files, setAside, documents] of ARCHIVES) {
      const report = await importFile(call, format, files, "?user_id=ana");
      deepStrictEqual(
        report.set_aside.first.map(({ where, reason }: Record<string, string>) =>
          `${where}: ${reason}`
        ),
        setAside,
      );
      keys.push(...documents);
    }
    const { documents } = await recordsOf(call);
    deepStrictEqual(documents.map(({ source_key }) => source_key).sort(), keys.sort());
  });
});

Deno.test("POST /v1/imports/{format} stores texts over the limits whole, in parts", async () => {
  await withServer(async ({ call }) => {
    const [memory, document] = ["bee ".repeat(30_000), "é word\n".repeat(400_000)];
    const file = [
      { id: 1, content: memory },
      { kind: "document", source_key: "big.md", title: "Big", content: document },
    ].map((record) => JSON.stringify(record)).join("\n");
    const report = await importFile(call, "jsonl", file, "?user_id=ana");
    deepStrictEqual([report.memories.added, report.documents.added], [0, 5]);
    const { documents } = await recordsOf(call);
    const content = (key: string) =>
      documents.find(({ source_key }: { source_key: string }) => source_key === key).content;
    strictEqual(content("jsonl/1"), memory);
    const parts = ["big.md", "big.md#2", "big.md#3", "big.md#4"].map(content);
    ok(parts.join("") === document);
  });
});

Deno.test("POST /v1/imports/{format} never takes a document from its owner", async () => {
  await withServer(async ({ call }) => {
    const notes = { "a.md": "Of Ana" };
    await importFile(call, "markdown", notes, "?user_id=ana");
    const report = await importFile(
      call,
      "markdown",
      { "a.md": "Of Ben", "b.md": "B" },
      "?user_id=ben",
    );
    deepStrictEqual(report.documents, { found: 1, added: 1, unchanged: 0 });
    deepStrictEqual(report.set_aside.first, [
      { where: "a.md", reason: 'The document "a.md" belongs to another owner' },
    ]);
    const { documents } = await recordsOf(call);
    deepStrictEqual(documents.map(({ content, user_id }) => [user_id, content]).sort(), [
      ["ana", "Of Ana"],
      ["ben", "B"],
    ]);
  });
});

Deno.test("POST /v1/imports/{format} deletes the parts that a document no longer has, and no others", async () => {
  await withServer(async ({ call }) => {
    const long = "é word\n".repeat(400_000);
    await importFile(call, "markdown", { "a.md": long, "a.md#9.md": "Own" }, "?user_id=ana");
    // A note that is not a part, although its key looks like that of one.
    const body = { source_key: "a.md#5", content: "Not a part", user_id: "ana" };
    strictEqual((await call("POST", "/v1/documents", { body })).status, 200);
    const keys = async () => {
      const { documents } = await recordsOf(call);
      return documents.map(({ source_key }) => source_key).sort();
    };
    deepStrictEqual(await keys(), ["a.md", "a.md#2", "a.md#3", "a.md#4", "a.md#5", "a.md#9.md"]);

    const foreign = await importFile(call, "markdown", { "a.md": "Short" }, "?user_id=ben");
    strictEqual(foreign.set_aside.count, 1);
    strictEqual((await keys()).length, 6);

    const { documents } = await importFile(call, "markdown", { "a.md": "Short" }, "?user_id=ana");
    deepStrictEqual(documents, { found: 1, added: 1, unchanged: 0 });
    deepStrictEqual(await keys(), ["a.md", "a.md#5", "a.md#9.md"]);
  });
});

Deno.test("POST /v1/imports/{format} deletes parts behind a missing one, and none of other owners", async () => {
  await withServer(async ({ call }) => {
    await importFile(call, "markdown", { "a.md": "é word\n".repeat(400_000) }, "?user_id=ana");
    const idOf = async (key: string) => {
      const { documents } = await recordsOf(call);
      return documents.find(({ source_key }) => source_key === key)!.id;
    };
    strictEqual((await call("DELETE", `/v1/documents/${await idOf("a.md#2")}`)).status, 200);
    // Someone else's, with the same origin in its metadata.
    const metadata = { source: { system: "markdown", id: "a.md" } };
    const body = { source_key: "a.md#7", content: "Of Ben", user_id: "ben", metadata };
    strictEqual((await call("POST", "/v1/documents", { body })).status, 200);

    await importFile(call, "markdown", { "a.md": "Short" }, "?user_id=ana");
    const { documents } = await recordsOf(call);
    deepStrictEqual(documents.map(({ source_key }) => source_key).sort(), ["a.md", "a.md#7"]);
  });
});

Deno.test("POST /v1/imports/{format} with infer=true adds what people said, and nothing of refused documents", async () => {
  await withServer(async ({ call }) => {
    for (const format of ["chatgpt", "claude", "letta"]) {
      const { file } = SAMPLES[format]!;
      const ana = `?user_id=ana&infer=true`;
      const report = await importFile(call, format, file, ana);
      ok(report.inferred_adds.added > 0, format);
      strictEqual(report.inferred_adds.added, report.inferred_adds.found);
      const again = await importFile(call, format, file, ana);
      strictEqual(again.inferred_adds.added, 0, "the same adds have the same ids");
      if (format === "letta") continue;
      const foreign = await importFile(call, format, file, "?user_id=ben&infer=true");
      // What remains are saved memories, which can be those of two people.
      const saved = SAMPLES[format]!.memories.length;
      deepStrictEqual(foreign.inferred_adds, { found: saved, added: saved, unchanged: 0 }, format);
    }
  });
});

Deno.test("POST /v1/imports/{format} leaves changed and deleted memories as they are", async () => {
  await withServer(async ({ call }) => {
    await importFile(call, "mem0", LIST);
    const { json } = await call("GET", "/v1/memories?user_id=ana");
    const [first, second] = json.results.map(({ id }: { id: string }) => id);
    await call("PUT", `/v1/memories/${first}`, { body: { content: "Ana sold the bees" } });
    await call("DELETE", `/v1/memories/${second}`);
    const before = await recordsOf(call);
    const report = await importFile(call, "mem0", LIST);
    deepStrictEqual(report.memories, { found: 2, added: 0, unchanged: 2 });
    deepStrictEqual(await recordsOf(call), before);
  });
});

/** Replaces a text in an archive's directories with another of the same length. */
function replaced(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const text = new TextDecoder("latin1").decode(bytes).replaceAll(from, to);
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
