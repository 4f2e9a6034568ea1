/**
 * Scores the builtin engine on labelled claims, which are stored outside the repository, and prints
 * the results as a table.
 */
import type { ExtractionRequest } from "../../src/inference/extractor.ts";
import { openTagger } from "../../src/inference/tagger/tagger.ts";
import { factsOf } from "../../src/inference/builtin/engine.ts";

interface Case {
  readonly id: string;
  readonly group: string;
  readonly messages: ExtractionRequest["messages"];
  readonly event_date: string;
}
interface Scorer {
  readJsonl(path: string): Case[];
  report(cases: readonly Case[], outputs: readonly unknown[], flags: ReadonlySet<string>): void;
}

const folder = new URL(
  `file://${Deno.env.get("CLAIMS_CASES") ?? `${Deno.cwd()}/../shared/eval/claims`}/`,
);
const scorer: Scorer = await import(new URL("score_claims.ts", folder).href);
const group = Deno.args.find((arg) => !arg.startsWith("--"));
const tagger = Deno.args.includes("--rules") ? null : await openTagger("minilm", "native");
const readers = { tagger, rules: !Deno.args.includes("--model") };
const cases = scorer.readJsonl(new URL("cases.jsonl", folder).pathname).filter((claimCase) =>
  !group || claimCase.group === group
);
for (const claimCase of cases) {
  await factsOf({
    messages: claimCase.messages,
    eventDate: claimCase.event_date,
    requestTime: claimCase.event_date,
  });
}
const outputs: unknown[] = [];
for (const claimCase of cases) {
  const from = performance.now();
  const results = await factsOf({
    messages: claimCase.messages,
    eventDate: claimCase.event_date,
    requestTime: claimCase.event_date,
  }, readers);
  outputs.push({ id: claimCase.id, results, ms: performance.now() - from });
}
scorer.report(cases, outputs, new Set(Deno.args.filter((arg) => arg.startsWith("--"))));
