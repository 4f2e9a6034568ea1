/**
 * `deno task eval search`, or just `deno task eval`: measures search quality with the service's
 * default model, on the labelled data that is stored alongside the repository.
 *
 * - `--embedder none` searches by words alone.
 * - `--ablation` turns off one signal at a time, on LoCoMo only.
 * - `--only locomo` (or own, unseen, scifact, cranfield) runs only that set. `own` and `unseen`
 *   are in the repository.
 * - `--dates` stores the session dates as well.
 * - `--engine postgres` keeps the records on a PostgreSQL server that's started for it.
 */

import { parseArgs } from "node:util";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { withServer } from "../../testing/harness.ts";
import { startPostgres } from "../../testing/postgres.ts";
import { ablate } from "./ablation.ts";
import { evaluateSet } from "./beir.ts";
import { evaluateDialogues, type StorageMode } from "./dialogues.ts";
import { readLocomo } from "./locomo.ts";
import type { RankMetrics } from "./metrics.ts";
import { readOwnConversations } from "./own_conversations.ts";

const { values } = parseArgs({
  options: {
    embedder: { type: "string", default: "minilm" },
    ablation: { type: "boolean", default: false },
    only: { type: "string" },
    dates: { type: "boolean", default: false },
    engine: { type: "string", default: "sqlite" },
  },
});
const isPostgres = values.engine === "postgres";
if (isPostgres && values.ablation) throw new Error("--ablation only works on SQLite");
const postgres = isPostgres ? await startPostgres() : undefined;

/** Returns the settings of a new server. */
function settings() {
  const embedder = { ...NO_EMBEDDER, name: values.embedder };
  return { embedder, ...(postgres && { database: postgres.newSchema() }) };
}

const wanted = (name: string) => values.only === undefined || values.only === name;

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
const percent = (share: number) => (share * 100).toFixed(1).padStart(6);
const row = (name: string, { r5, r10, r20, mrr }: RankMetrics) =>
  print(`${name.padEnd(34)}${percent(r5)}${percent(r10)}${percent(r20)}  ${mrr.toFixed(3)}`);

try {
  const dialogues = {
    locomo: { title: "LoCoMo, turns found", read: readLocomo },
    own: { title: "An unseen author, turns found", read: () => readOwnConversations("zainab") },
    unseen: { title: "Another one, turns found", read: () => readOwnConversations("pernille") },
  };
  for (const [set, { title, read }] of Object.entries(dialogues)) {
    if (!wanted(set)) continue;
    print(`${title.padEnd(34)}   R@5  R@10  R@20    MRR`);
    for (const mode of ["messages of one add", "one by one"] satisfies StorageMode[]) {
      await withServer(async (server) => {
        const { byCategory, turnOf, ...all } = await evaluateDialogues(
          server,
          read(),
          mode,
          values.dates,
        );
        row(mode, all);
        for (const [category, measured] of Object.entries(byCategory)) {
          row(`  category ${category}`, measured);
        }
        if (!values.ablation || set !== "locomo") return;
        for (const [name, measured] of await ablate(server, values.embedder, turnOf)) {
          row(`  ${name}`, measured);
        }
      }, settings());
      if (values.ablation) break;
    }
  }

  const sets = ([["SciFact", "scifact"], ["Cranfield", "cranfield"]] as const)
    .filter(([, set]) => wanted(set));
  if (sets.length > 0) {
    print(`\n${"Documents, development halves".padEnd(34)}nDCG@10  R@10  queries`);
  }
  for (const [name, set] of sets) {
    await withServer(async (server) => {
      const { ndcg10, r10, queries } = await evaluateSet(server, set);
      const figures = `${ndcg10.toFixed(3).padStart(7)}${percent(r10)}${
        String(queries).padStart(9)
      }`;
      print(`${name.padEnd(34)}${figures}`);
    }, settings());
  }
} finally {
  await postgres?.close();
}
