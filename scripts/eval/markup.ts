/** Reads the marked-up messages of `training/inference` (see the README there). */

/** A claim that a sentence makes. */
export interface MarkedClaim {
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly op: "assert" | "end";
}

/** A sentence without its mark-up. `store` is null if either decision is fine. */
export interface MarkedSentence {
  readonly text: string;
  readonly store: boolean | null;
  readonly claims: readonly MarkedClaim[];
}

const SPAN = /\{([!@]*)(\w+)(?:>([^:={}]+))?(?:=([^:{}]*))?:([^{}]*)\}/g;
const TAIL = /\s*#(\w+)(!?=)([^#]+)$/;

/** Reads a file as messages of sentences. */
export function readMarkup(path: string): MarkedSentence[][] {
  return Deno.readTextFileSync(path).split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => line.split("||").map(sentenceOf));
}

function sentenceOf(source: string): MarkedSentence {
  let line = source.trim();
  const mark = /^[+?]/.exec(line)?.[0];
  if (mark) line = line.slice(1).trim();
  const claims: MarkedClaim[] = [];
  for (let tail = TAIL.exec(line); tail; tail = TAIL.exec(line)) {
    line = line.slice(0, tail.index);
    const [, name = "", op, value = ""] = tail;
    if (name === "type") continue;
    const attribute = topicOf(name);
    claims.push({
      subject: "user",
      attribute,
      value: value.trim(),
      op: op === "=" ? "assert" : "end",
    });
  }
  const text = line.replace(SPAN, (_all, flags: string, name: string, subject, value, words) => {
    claims.push({
      subject: subject === undefined ? (flags.includes("@") ? "?" : "user") : subject.trim(),
      attribute: topicOf(name),
      value: value ?? words,
      op: flags.includes("!") ? "end" : "assert",
    });
    return words;
  });
  const store = mark === "?" ? null : claims.length > 0 || mark === "+";
  return { text, store, claims };
}

const topicOf = (name: string) => name.replace(/^decision_/, "decision:");
