/** From a model's text to refined facts: strict parsing, grounding in the input, and the builtin's own dates. */
import { z } from "zod";
import { datePhrases } from "../builtin/dates/phrases.ts";
import { iso, numberOf } from "../builtin/dates/calendar.ts";
import { tenseOf } from "../builtin/dates/validity.ts";
import { type Claim, claimSchema, type ExtractedFact, extractedFactSchema } from "../extractor.ts";
import { normalizeTimestamp } from "../../kernel/clock.ts";
import { MEMORY_TYPES } from "../../memories/schema.ts";
import { comparable, importanceOf, tidyValue } from "../vocabulary.ts";
import { invalidResponse } from "./errors.ts";
import { MAX_FACTS, PLACEHOLDERS } from "./prompt.ts";

const modelResponse = z.object({
  facts: z.array(z.object({
    memory: z.string().min(1).max(1000),
    memory_type: z.enum(MEMORY_TYPES),
    event_date: z.string().nullish(),
    valid_from: z.string().nullish(),
    valid_to: z.string().nullish(),
    claims: z.array(
      z.object({
        subject: z.string(),
        attribute: z.string(),
        value: z.union([z.string(), z.number()]),
        op: z.enum(["assert", "end"]).default("assert"),
      }),
    ).default([]),
    source: z.number().int(),
  })).max(MAX_FACTS),
});
type RawFact = z.infer<typeof modelResponse>["facts"][number];

/** A message as it was sent to the model. */
export interface SentMessage {
  readonly source: number;
  readonly speaker: string;
  readonly text: string;
}

/** Share of content words that must be in the input: below it a fact was invented or copied from the examples. */
const MIN_GROUNDED_SHARE = 0.6;
const COMMON_WORDS = new Set(
  "user is was has had have does did the a an of in at to for on with and or from by their they them who that as be been are were it its not no will would this"
    .split(" "),
);

const stem = (word: string) => word.replace(/(?:ing|ies|ied|es|ed|s|e|y)$/, "");
const wordsOf = (text: string) =>
  comparable(text).split(" ").map((word) => word.replace(/'s$/, "")).filter((word) =>
    word && !COMMON_WORDS.has(word)
  );

/** Whether a text says nothing that the input doesn't: most words, every name and every number. */
function isGrounded(text: string, input: string): boolean {
  const known = new Set(
    wordsOf(input).flatMap((word) => [word, stem(word), String(numberOf(word) ?? word)]),
  );
  const words = wordsOf(text);
  const has = (word: string) => known.has(word) || known.has(stem(word));
  if (!words.length || words.filter(has).length / words.length < MIN_GROUNDED_SHARE) return false;
  const names = [...text.matchAll(/(?<=\s)(?!User\b)\p{Lu}[\p{L}'-]+/gu)].map((m) =>
    comparable(m[0]).replace(/'s$/, "")
  );
  const numbers = (text.match(/\d+/g) ?? []).filter((one) => !/^(?:19|20)\d\d$/.test(one));
  return names.every((name) => has(name)) &&
    numbers.every((one) => known.has(one) || input.includes(one));
}

/** A small model writes on with JSON inside the text ("… last month.},{"). */
const TRAILING_JSON = /[\s.,:;"']*[{}[\]][\s.,:;"'{}[\]]*$/;

/** The JSON of an answer, also from a fenced block; a torso or prose is no answer. */
function parseResponse(text: string): z.infer<typeof modelResponse> {
  const bare = text.trim().replace(/^```(?:json)?\s*/i, "").replace(/\s*```$/, "");
  let json: unknown;
  try {
    json = JSON.parse(bare);
  } catch {
    throw invalidResponse("the content is not JSON");
  }
  const parsed = modelResponse.safeParse(Array.isArray(json) ? { facts: json } : json);
  if (!parsed.success) throw invalidResponse("the content does not have the asked form");
  return parsed.data;
}

/** The model's date, unless the only date phrase of the source says another one. */
function resolveEventDate(
  fact: RawFact,
  source: SentMessage,
  anchor: number,
  fallback: string | null,
): string | null {
  const own = datePhrases(source.text, anchor, tenseOf(source.text));
  const said = normalizeTimestamp(fact.event_date ?? "");
  if (own.length === 1) return iso(own[0]!.at);
  if (said && own.some((phrase) => iso(phrase.at).slice(0, 10) === said.slice(0, 10))) return said;
  return own.length ? iso(own[0]!.at) : fallback;
}

function groundedClaims(fact: RawFact, input: string): Claim[] {
  return fact.claims.flatMap((raw): Claim[] => {
    const claim = {
      subject: raw.subject.trim().toLowerCase(),
      attribute: raw.attribute.trim().toLowerCase().replace(/[\s-]+/g, "_"),
      value: tidyValue(String(raw.value)),
      op: raw.op,
    };
    const parsed = claimSchema.safeParse(claim);
    if (!parsed.success || !isGrounded(`x ${claim.value}`.slice(2), input)) return [];
    return [parsed.data];
  });
}

/**
 * The facts of a model's answer that hold up. Facts that aren't grounded in the input or repeat the prompt's
 * placeholders are left out; an answer that cannot be read fails as a whole.
 * @throws {ProviderError} `PROVIDER_INVALID_RESPONSE`.
 */
export function factsFromResponse(
  text: string,
  sent: readonly SentMessage[],
  anchor: number,
  fallback: string | null,
): readonly ExtractedFact[] {
  const input = sent.map((one) => `${one.speaker} ${one.text}`).join("\n");
  return parseResponse(text).facts.flatMap((raw): ExtractedFact[] => {
    const source = sent.find((one) => one.source === raw.source);
    const memory = raw.memory.replace(/\s+/g, " ").replace(TRAILING_JSON, "").trim().slice(0, 300);
    const copied = PLACEHOLDERS.some((name) => memory.toLowerCase().includes(name.toLowerCase()));
    if (!source || copied || !isGrounded(memory, input) || /\b(?:I|my|me|we|our)\b/.test(memory)) {
      return [];
    }
    const claims = groundedClaims(raw, input);
    const fact = {
      memory,
      memory_type: raw.memory_type,
      importance: importanceOf(raw.memory_type, claims),
      event_date: resolveEventDate(raw, source, anchor, fallback),
      valid_from: normalizeTimestamp(raw.valid_from ?? ""),
      valid_to: normalizeTimestamp(raw.valid_to ?? ""),
      claims,
      sources: [raw.source],
    };
    const checked = extractedFactSchema.safeParse(fact);
    return checked.success ? [checked.data] : [];
  });
}
