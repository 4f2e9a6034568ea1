/** Compares terms as split here with terms as stored in the text index. */

import { deepStrictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import foundation from "../../migrations/sqlite/0001_foundation.sql" with { type: "text" };
import { termsOf } from "../../src/search/query/terms.ts";
import { indexedTerm } from "../../src/store/sqlite/text_index.ts";

Deno.test("termsOf() returns terms that the text index stores unchanged", () => {
  const expected = new Set<string>();
  for (let code = 0x21; code <= 0x3_ffff; code++) {
    const character = String.fromCodePoint(code);
    if (!/[\p{L}\p{M}\p{N}]/u.test(character)) continue;
    for (const term of termsOf(`q${character}`)) expected.add(indexedTerm(7, term));
  }
  const database = new DatabaseSync(":memory:");
  database.exec(foundation);
  database.exec("begin");
  const insert = database.prepare("insert into memories_fts (rowid, text, tags) values (?, ?, '')");
  [...expected].forEach((term, index) => insert.run(BigInt(index + 1), term));
  database.exec("commit");
  const stored = new Set(
    database.prepare("select term from memories_vocabulary").all().map((row) => row["term"]),
  );
  database.close();
  deepStrictEqual([...expected].filter((term) => !stored.has(term)), []);
});

Deno.test("termsOf() folds different spellings of the same word", () => {
  const folded = {
    "Running runs": ["run", "run"],
    "Café CAFÉ": ["cafe", "cafe"],
    "Οδυσσεύς ΟΔΥΣΣΕΥΣ οδυσσεα": ["οδυσσευσ", "οδυσσευσ", "οδυσσεα"],
    "𝐌𝐮𝐦 ＡＢＣ": ["mum", "abc"],
    "東京": ["東", "東京", "京"],
  };
  for (const [text, terms] of Object.entries(folded)) deepStrictEqual(termsOf(text), terms);
});
