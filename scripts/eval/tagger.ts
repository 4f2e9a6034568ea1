/**
 * `deno task eval tagger [minilm | e5] [valid | test | FILE…] [--show]`: precision and recall of
 * claims on the marked-up messages of `training/inference`, for the rules alone, the tagger alone,
 * and both. Strict: a claim is right only if it's marked. Marked goals, plans and todos are brought to
 * the infinitive.
 */
import { factsOf } from "../../src/inference/builtin/engine.ts";
import type { Claim } from "../../src/inference/extractor.ts";
import { normalized } from "../../src/inference/builtin/claim_values.ts";
import { foreignRelation } from "../../src/inference/builtin/lexicon/foreign_people.ts";
import { LANGUAGES } from "../../src/inference/builtin/lexicon/languages.ts";
import { openTagger } from "../../src/inference/tagger/tagger.ts";
import { comparable } from "../../src/inference/vocabulary.ts";
import { type MarkedClaim, type MarkedSentence, readMarkup } from "./markup.ts";

const DATE = "2026-03-18T09:00:00.000Z";
const ROOT = new URL("../../training/inference/", import.meta.url).pathname;

const [name = "minilm", ...rest] = Deno.args.filter((arg) => !arg.startsWith("--"));
const show = Deno.args.includes("--show");
const places = rest.length > 0 ? rest : ["valid", "test"];
const files = places.flatMap((place) =>
  place.includes("/")
    ? [place]
    : [...Deno.readDirSync(ROOT + place)].map((entry) => `${ROOT}${place}/${entry.name}`).sort()
);
const tagger = await openTagger(name as "minilm" | "e5", "native");

const MODES = {
  rules: { tagger: null, rules: true },
  model: { tagger, rules: false },
  both: { tagger, rules: true },
} as const;

for (const file of files) {
  const messages = readMarkup(file);
  for (const [mode, engine] of Object.entries(MODES)) {
    const score = {
      made: 0,
      right: 0,
      expected: 0,
      found: 0,
      empty: 0,
      kept: 0,
      stored: 0,
      memories: 0,
    };
    for (const sentences of messages) {
      const content = sentences.map(withEnd).join("").trim();
      const facts = await factsOf(
        { messages: [{ role: "user", content }], eventDate: DATE, requestTime: DATE },
        engine,
      );
      const claims = facts.flatMap((fact) => fact.claims);
      const marked = sentences.flatMap((sentence) => sentence.claims);
      const wrong = claims.filter((claim) => !marked.some((one) => matches(one, claim)));
      const missed = marked.filter((one) => !claims.some((claim) => matches(one, claim)));
      score.made += claims.length;
      score.right += claims.length - wrong.length;
      score.expected += marked.length;
      score.found += marked.length - missed.length;
      score.memories += facts.length;
      if (isEmpty(sentences)) {
        score.empty++;
        if (facts.length === 0) score.kept++;
        score.stored += facts.length;
      }
      if (
        show && mode === "both" &&
        (wrong.length > 0 || missed.length > 0 || isEmpty(sentences) && facts.length > 0)
      ) {
        const list = (all: readonly MarkedClaim[]) =>
          all.map((c) =>
            `${c.subject === "user" ? "" : `${c.subject}.`}${c.attribute}${
              c.op === "end" ? "!" : ""
            }=${c.value}`
          ).join("; ");
        print(
          `  ${content.replaceAll("\n", " / ")}\n    wrong: ${list(wrong)}\n    missed: ${
            list(missed)
          }\n    facts: ${facts.map((f) => f.memory).join(" | ")}`,
        );
      }
    }
    const p = score.right / Math.max(1, score.made), r = score.found / Math.max(1, score.expected);
    const f = 2 * p * r / Math.max(1e-9, p + r);
    print(
      `${file.replace(ROOT, "").padEnd(30)} ${mode.padEnd(6)} P ${p.toFixed(3)} R ${
        r.toFixed(3)
      } F ${f.toFixed(3)} ` +
        `of ${score.expected}; ${score.kept} of ${score.empty} empty kept empty (${score.stored} memories); ${score.memories} memories`,
    );
  }
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** A sentence and what parts it from the next one: without punctuation, people begin a new line. */
function withEnd({ text }: MarkedSentence): string {
  return /[.!?…]["')”]*$/.test(text) ? `${text} ` : `${text}\n`;
}

function isEmpty(sentences: readonly MarkedSentence[]): boolean {
  return sentences.every(({ store }) => store === false);
}

function matches(marked: MarkedClaim, claim: Claim): boolean {
  return marked.op === claim.op && sameSubject(marked.subject, claim.subject) &&
      sameAttribute(marked.attribute, claim.attribute) && sameValue(formOf(marked), claim.value) ||
    // What has ended was once so.
    marked.op === "end" && claim.op === "assert" && sameValue(marked.value, claim.value) &&
      ({ works_at: "worked_at", lives_in: "lived_in", studies_at: "studied_at" } as Record<
          string,
          string
        >)[marked.attribute] === claim.attribute;
}

/** A marked value in the form of a claim: the marks are words of the message ("moving to Rome"). */
function formOf({ attribute, value }: MarkedClaim): string {
  return normalized(attribute, value)?.value ?? value;
}

function sameSubject(marked: string, subject: string): boolean {
  const a = comparable(marked), b = comparable(subject);
  const relations = [
    marked,
    ...LANGUAGES.flatMap((language) => foreignRelation(marked, language, true) ?? []),
  ];
  return a === b || marked === "?" || b.endsWith(` ${a}`) ||
    relations.some((relation) => b === comparable(`user's ${relation}`));
}

function sameAttribute(marked: string, attribute: string): boolean {
  if (marked === attribute) return true;
  if (marked.startsWith("decision") && attribute.startsWith("decision")) return true;
  return marked.startsWith("favorite") && attribute.startsWith("favorite_");
}

function sameValue(marked: string, value: string): boolean {
  const [a, b] = [comparable(marked), comparable(value)];
  if (a === b) return true;
  const [want, have] = [a.split(" "), b.split(" ")];
  return want.every((word) => have.includes(word)) && have.length - want.length <= 2 ||
    have.every((word) => want.includes(word)) && want.length - have.length <= 1 && have.length > 1;
}
