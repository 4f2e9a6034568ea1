/** `commonplace explain TEXT`: shows what inference reads in a text, without storing anything. */

import { systemClock, timestamp } from "../../kernel/clock.ts";
import type { Explanation } from "../../inference/explanation_schema.ts";
import { ArgumentError } from "../../server/config_error.ts";
import { type Command, printResult, readFlags, UsageError } from "../command.ts";

const TAGGERS = ["minilm", "e5", "none"];

export const explainCommand: Command = {
  name: "explain",
  summary: "show what inference would store of a text, and why",
  usage: ["commonplace explain TEXT [--tagger minilm|e5|none]"],
  async run(args, terminal) {
    const flags = readFlags(args, { positionals: true, text: ["tagger"] });
    const name = flags.text["tagger"] ?? "minilm";
    const text = flags.positionals.join(" ");
    if (text.trim() === "") throw new ArgumentError("Missing text; pass it as an argument");
    if (!TAGGERS.includes(name)) {
      throw new UsageError(`--tagger must be one of: ${TAGGERS.join(", ")}`);
    }
    // Loaded here, since no other command needs it in this thread.
    const { explain } = await import("../../inference/explanation.ts");
    const { TaggerOpener } = await import("../../inference/tagger/opener.ts");
    const { tagger, status } = await new TaggerOpener().open({
      name: name === "none" ? null : name as "minilm" | "e5",
      builds: ["native", "wasm"],
    });
    if (name !== "none" && tagger === null) throw new UsageError(`No tagger: ${status.fault}`);
    const explanation = await explain(text, timestamp(systemClock().now()), tagger);
    if (flags.switches.has("json")) printResult(terminal, flags, explanation);
    else for (const line of linesOf(explanation)) terminal.print(line);
  },
};

function* linesOf({ sentences, memories }: Explanation): Generator<string> {
  for (const sentence of sentences) {
    yield sentence.text;
    if (sentence.stopped_by !== null) yield `  stopped: ${sentence.stopped_by}`;
    if (sentence.worth_storing !== null) {
      yield `  worth storing: ${percent(sentence.worth_storing)}`;
    }
    for (const { attribute, words, value, state, confidence } of sentence.spans) {
      yield `  ${attribute}: ${words ?? `${value} (implied)`}, ${state}, ${percent(confidence)}`;
    }
    if (sentence.rules.length > 0) yield `  rules: ${sentence.rules.join(", ")}`;
    if (sentence.dropped !== null) yield `  dropped: ${sentence.dropped}`;
  }
  if (memories.length === 0) yield "Nothing would be stored.";
  for (const { memory, memory_type, claims } of memories) {
    const list = claims.map(({ subject, attribute, value, op }) =>
      `${subject} ${op === "end" ? "no longer " : ""}${attribute} ${value}`
    );
    yield `${memory_type}: ${memory}${list.length === 0 ? "" : ` [${list.join("; ")}]`}`;
  }
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
