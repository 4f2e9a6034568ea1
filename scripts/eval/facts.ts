/**
 * Runs the builtin engine on annotated conversations and writes the output file expected by their
 * scorer.
 */
import { openTagger } from "../../src/inference/tagger/tagger.ts";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { monthOf } from "../../src/kernel/dates/calendar.ts";

interface Session {
  readonly conv: number;
  readonly session: number;
  readonly date: string;
  readonly messages: readonly {
    readonly id: string;
    readonly speaker: string;
    readonly text: string;
  }[];
}

/** Converts a date like "1:56 pm on 8 May, 2023" to a timestamp. */
function sessionDate(text: string): string {
  const m = /^(\d+):(\d+) ([ap]m) on (\d+) (\w+), (\d+)$/.exec(text);
  if (!m) throw new Error(`Invalid session date "${text}"`);
  const hour = Number(m[1]) % 12 + (m[3] === "pm" ? 12 : 0);
  return new Date(
    Date.UTC(Number(m[6]), monthOf(m[5]!), Number(m[4]), hour, Number(m[2])),
  ).toISOString();
}

const folder = Deno.env.get("FACTS_CASES") ?? `${Deno.cwd()}/../shared/eval/facts`;
const [target] = Deno.args;
if (!target) throw new Error("Missing output file. Usage: deno task eval facts OUTPUT.jsonl");
const lines = Deno.readTextFileSync(`${folder}/sessions.jsonl`).trim().split("\n");
const tagger = Deno.args.includes("--rules") ? null : await openTagger("minilm", "native");
const readers = { tagger, rules: true };
const out: string[] = [];
for (const line of lines) {
  const session: Session = JSON.parse(line);
  const date = sessionDate(session.date);
  const from = performance.now();
  const facts = await factsOf({
    messages: session.messages.map((message) => ({
      role: "user",
      content: `${message.speaker}: ${message.text}`,
    })),
    eventDate: date,
    requestTime: date,
  }, readers);
  const ms = performance.now() - from;
  const memories = facts.map((fact) => ({
    memory: fact.memory,
    memory_type: fact.memory_type,
    event_date: fact.event_date,
    source: fact.sources,
  }));
  out.push(JSON.stringify({ conv: session.conv, session: session.session, memories, ms }));
}
Deno.writeTextFileSync(target, out.join("\n") + "\n");
