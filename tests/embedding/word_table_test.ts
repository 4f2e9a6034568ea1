/** Checks the word tables of the models. */

import { deepStrictEqual, notDeepStrictEqual } from "node:assert/strict";
import { BUILTIN_MODELS } from "../../src/embedding/builtin_models.ts";
import { WordTable } from "../../src/embedding/runtimes/word_table.ts";

for (const [name, model] of Object.entries(BUILTIN_MODELS)) {
  Deno.test(`WordTable.rows() of ${name} returns the same rows when it keeps others`, () => {
    const table = new WordTable(model);
    const ids = Array.from({ length: 100 }, (_, i) => 1_000 + i);
    const first = table.rows(ids);
    notDeepStrictEqual(first.subarray(0, model.dims), first.subarray(model.dims, 2 * model.dims));
    // More than it keeps.
    for (let id = 2_000; id < 7_000; id++) table.rows([id]);
    deepStrictEqual(table.rows(ids), first);
    deepStrictEqual(
      table.rows([ids[1]!, ids[0]!]).subarray(model.dims),
      first.slice(0, model.dims),
    );
  });
}
