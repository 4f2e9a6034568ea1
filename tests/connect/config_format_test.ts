/** Tests that edits of configuration files change one entry and not a byte of anything else. */

import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { ConfigError } from "../../src/connect/config_error.ts";
import { FORMATS, readEntry, removeEntry, setEntry } from "../../src/connect/config_format.ts";
import { fc } from "../../testing/fast_check.ts";
import { jsonText, tomlText } from "./config_texts.ts";

const PATH = { container: "servers", name: "commonplace" };
const ENTRY = {
  url: "http://127.0.0.1:8420/mcp?user_id=a%20b",
  headers: { Authorization: "Bearer cpl_x" },
};
const PROCESS = { command: "C:\\Program Files\\x.exe", args: ["mcp", '"', "\t"], env: {} };

/** Returns what was inserted: at most one comma, and one other piece. Null if there's more. */
function insertions(before: string, after: string): string[] | null {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const kept = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  if (kept === "") return [added];
  return added.startsWith("," + kept) ? [",", added.slice(1 + kept.length)] : null;
}

for (const [name, texts] of [["json", jsonText], ["toml", tomlText]] as const) {
  const format = FORMATS[name];

  Deno.test(`setEntry() of ${name} only inserts, and removeEntry() restores every byte`, () => {
    fc.assert(
      fc.property(texts({ entry: false }), ({ text, hasServers }) => {
        const added = setEntry(format, text, PATH, ENTRY);
        deepStrictEqual(readEntry(format, added, PATH), ENTRY);
        ok(insertions(text, added) !== null, added);
        strictEqual(
          setEntry(format, added, PATH, ENTRY),
          added,
          "the second time, nothing changes",
        );
        const removed = removeEntry(format, added, PATH);
        if (hasServers) strictEqual(removed, text);
        else {deepStrictEqual(
            { servers: {}, ...format.parse(text) },
            withServers(format.parse(removed)),
          );}
        strictEqual(removeEntry(format, text, PATH), text, "without an entry, nothing changes");
      }),
      { numRuns: 300 },
    );
  });

  Deno.test(`setEntry() of ${name} replaces an entry and nothing around it`, () => {
    fc.assert(
      fc.property(texts({ entry: true }), ({ text }) => {
        const replaced = setEntry(format, text, PATH, PROCESS);
        deepStrictEqual(readEntry(format, replaced, PATH), PROCESS);
        strictEqual(removeEntry(format, replaced, PATH), removeEntry(format, text, PATH));
        const again = setEntry(format, setEntry(format, replaced, PATH, ENTRY), PATH, PROCESS);
        strictEqual(again, replaced);
      }),
      { numRuns: 300 },
    );
  });

  Deno.test(`setEntry() of ${name} refuses damaged texts or edits them safely`, () => {
    const damaged = fc.tuple(
      texts({ entry: false }),
      fc.nat(),
      fc.constantFrom("{", "}", '"', "[", ",", "="),
    )
      .map(([{ text }, position, character]) => {
        const index = position % (text.length + 1);
        return text.slice(0, index) + character + text.slice(index + 1);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        try {
          setEntry(format, text, PATH, ENTRY);
        } catch (error) {
          ok(error instanceof ConfigError, String(error));
          ok(!error.message.includes("\n"), "the message is a single line");
        }
      }),
      { numRuns: 300 },
    );
  });
}

function withServers(config: Readonly<Record<string, unknown>>) {
  return { servers: {}, ...config };
}

Deno.test("setEntry() refuses texts that it can't edit and says why", () => {
  const { json, toml } = FORMATS;
  const cases = [
    [json, "{", "Invalid JSON in line 1: CloseBraceExpected"],
    [json, '{\n"a" 1\n}', "Invalid JSON in line 2: ColonExpected"],
    [json, "[]", "Expected an object"],
    [json, '{"servers": []}', '"servers" is not a table of servers'],
    [json, '{"servers": null}', '"servers" is not a table of servers'],
    [json, '{"servers": {"commonplace": 1}}', '"servers.commonplace" is not a table'],
    [json, '{"servers": {}, "servers": {}}', '"servers" appears more than once'],
    [
      json,
      '{"servers": {"commonplace": {}, "commonplace": {}}}',
      '"commonplace" appears more than once',
    ],
    [toml, "a = 1\n[b\n", "Invalid TOML in line 3: Unterminated table-key"],
    [toml, "servers = { a = {} }\n", '"servers" is written in a form that can\'t be edited'],
    [
      toml,
      "[servers]\ncommonplace = { url = 'x' }\n",
      '"servers" is written in a form that can\'t be edited',
    ],
    [toml, "servers = 1\n", '"servers" is not a table of servers'],
  ] as const;
  for (const [format, text, message] of cases) {
    throws(() => setEntry(format, text, PATH, ENTRY), { name: "ConfigError", message }, text);
  }
});

Deno.test("setEntry() of json follows the style of the file", () => {
  const { json } = FORMATS;
  const entry = { url: "x" };
  const cases = [
    ["", '{\n  "servers": {\n    "commonplace": {\n      "url": "x"\n    }\n  }\n}\n'],
    [
      '{\r\n\t"a": 1\r\n}',
      '{\r\n\t"a": 1,\r\n\t"servers": {\r\n\t\t"commonplace": {\r\n\t\t\t"url": "x"\r\n\t\t}\r\n\t}\r\n}',
    ],
    [
      '{\n "servers": {\n  "a": {}, // last\n },\n}\n',
      '{\n "servers": {\n  "a": {}, // last\n  "commonplace": {\n   "url": "x"\n  },\n },\n}\n',
    ],
    [
      '{\n  "a": 1 // one\n  // end\n}',
      '{\n  "a": 1, // one\n  "servers": {\n    "commonplace": {\n      "url": "x"\n    }\n  }\n  // end\n}',
    ],
    ['{"servers":{"a":{}}}', '{"servers":{"a":{}, "commonplace": {"url":"x"}}}'],
  ] as const;
  for (const [before, after] of cases) strictEqual(setEntry(json, before, PATH, entry), after);
});

Deno.test("setEntry() of toml replaces an entry's subtables and keeps comments after it", () => {
  const text =
    "[servers.commonplace]\ncommand = 'x'\n\n[servers.commonplace.env]\nA = 'b'\n\n# z\n[z]\n";
  strictEqual(
    setEntry(FORMATS.toml, text, PATH, { url: "x", headers: { "A b": "c" } }),
    '[servers.commonplace]\nurl = "x"\nheaders = { "A b" = "c" }\n\n# z\n[z]\n',
  );
});
