/**
 * Converts a model's response to facts. Parses it strictly, checks every fact against the input and
 * resolves dates with the builtin engine.
 */
import { z } from "zod";
import { datePhrases } from "../../kernel/dates/phrases.ts";
import { iso, numberOf } from "../../kernel/dates/calendar.ts";
import { normalized } from "../builtin/claim_values.ts";
import { tenseOf } from "../builtin/dates/validity.ts";
import { type Claim, claimSchema, type ExtractedFact, extractedFactSchema } from "../extractor.ts";
import { normalizeTimestamp } from "../../kernel/clock.ts";
import { truncate } from "../../kernel/text.ts";
import { MEMORY_TYPES } from "../../memories/schema.ts";
import { comparable, importanceOf, tidyValue } from "../vocabulary.ts";
import { invalidResponse } from "./errors.ts";
import { MAX_CLAIMS, MAX_FACTS, PLACEHOLDERS } from "./prompt.ts";

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

/** A message as sent to the model. */
export interface SentMessage {
  readonly source: number;
  readonly speaker: string;
  readonly text: string;
  /** When the events in the message happened, or null if unknown. */
  readonly date: string | null;
}

/**
 * Minimum fraction of content words that must appear in the input. Facts below this were invented
 * or copied from the examples.
 */
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

/** What was sent to the model, prepared once per response. */
class Input {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly #phrases = new Map<string, ReturnType<typeof datePhrases>>();
  #days: ReadonlySet<string> | undefined;

  constructor(sent: readonly SentMessage[]) {
    this.text = sent.map(({ speaker, text }) => `${speaker} ${text}`).join("\n");
    this.words = new Set(
      wordsOf(this.text).flatMap((word) => [word, stem(word), String(numberOf(word) ?? word)]),
    );
  }

  /** Returns the date phrases in a message. */
  datePhrases({ text, source }: SentMessage, anchor: number) {
    const key = `${source}\n${text}`;
    const phrases = this.#phrases.get(key) ?? datePhrases(text, anchor, tenseOf(text));
    this.#phrases.set(key, phrases);
    return phrases;
  }

  /** Checks whether a day, such as `05-02`, is mentioned. */
  hasDay(day: string): boolean {
    this.#days ??= new Set(
      datePhrases(this.text, 0, "past").map(({ at }) => iso(at).slice(5, 10)),
    );
    return this.#days.has(day);
  }
}

/**
 * Checks whether a text is grounded in the input, i.e. most of its words and all of its names and
 * numbers appear there.
 */
function isGrounded(text: string, { text: input, words: known }: Input): boolean {
  const words = wordsOf(text);
  const isKnown = (word: string) => known.has(word) || known.has(stem(word));
  if (!words.length || words.filter(isKnown).length / words.length < MIN_GROUNDED_SHARE) {
    return false;
  }
  const names = [...text.matchAll(/(?<=\s)(?!User\b)\p{Lu}[\p{L}'-]+/gu)].map((m) =>
    comparable(m[0]).replace(/'s$/, "")
  );
  const numbers = (text.match(/\d+/g) ?? []).filter((number) => !/^(?:19|20)\d\d$/.test(number));
  return names.every((name) => isKnown(name)) &&
    numbers.every((number) => known.has(number) || input.includes(number));
}

/** Stray JSON at the end of a text, as sometimes added by small models ("… last month.},{"). */
const TRAILING_JSON = /[\s.,:;"']*[{}[\]][\s.,:;"'{}[\]]*$/;

/**
 * Parses the JSON in a response, with or without a fenced code block.
 *
 * @throws {ProviderError} PROVIDER_INVALID_RESPONSE if the JSON is incomplete or invalid
 */
function parseResponse(text: string): z.infer<typeof modelResponse> {
  const content = text.trim().replace(/^```(?:json)?\s*/i, "").replace(/\s*```$/, "");
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    throw invalidResponse("the content is not JSON");
  }
  const parsed = modelResponse.safeParse(Array.isArray(json) ? { facts: json } : json);
  if (!parsed.success) throw invalidResponse("the content does not match the requested schema");
  return parsed.data;
}

/**
 * Returns a fact's event date. If the source contains exactly one date phrase, that wins. If it
 * contains several, we use the model's date if it matches one of them, and the first phrase
 * otherwise. Without any, the message's date is used.
 */
function resolveEventDate(
  fact: RawFact,
  source: SentMessage,
  requestTime: string,
  input: Input,
): string | null {
  const phrases = input.datePhrases(source, Date.parse(source.date ?? requestTime));
  const modelDate = normalizeTimestamp(fact.event_date ?? "");
  if (phrases.length === 1) return iso(phrases[0]!.at);
  if (modelDate && phrases.some(({ at }) => iso(at).slice(0, 10) === modelDate.slice(0, 10))) {
    return modelDate;
  }
  return phrases.length ? iso(phrases[0]!.at) : source.date;
}

/** Claims whose words the input has, with values in the form that the builtin engine writes. */
function groundedClaims(fact: RawFact, input: Input): Claim[] {
  return fact.claims.slice(0, MAX_CLAIMS).flatMap((raw): Claim[] => {
    const attribute = raw.attribute.trim().toLowerCase().replace(/[\s-]+/g, "_");
    const found = normalized(attribute, String(raw.value));
    if (found === null) return [];
    const parsed = claimSchema.safeParse({
      ...found,
      subject: raw.subject.trim().toLowerCase(),
      op: raw.op,
    });
    const isSaid = [String(raw.value), found.value].some((value) =>
      isValueSaid(found.attribute, value, input)
    );
    return parsed.success && isSaid ? [parsed.data] : [];
  });
}

/** Whether a value is grounded in the input, maybe with a day in other words ("2 May", `05-02`). */
function isValueSaid(attribute: string, value: string, input: Input): boolean {
  if (attribute === "birthday" && /^\d\d-\d\d$/.test(value)) return input.hasDay(value);
  return isGrounded(tidyValue(value), input);
}

/**
 * Returns the valid facts in a model's response, leaving out those that aren't grounded in the
 * input or repeat placeholders from the prompt.
 *
 * @throws {ProviderError} PROVIDER_INVALID_RESPONSE if the response can't be parsed
 */
export function factsFromResponse(
  text: string,
  sent: readonly SentMessage[],
  requestTime: string,
): readonly ExtractedFact[] {
  const input = new Input(sent);
  return parseResponse(text).facts.flatMap((raw): ExtractedFact[] => {
    const source = sent.find((message) => message.source === raw.source);
    const memory = truncate(raw.memory.replace(/\s+/g, " ").replace(TRAILING_JSON, "").trim(), 300);
    const isCopied = PLACEHOLDERS.some((name) => memory.toLowerCase().includes(name.toLowerCase()));
    if (
      !source || isCopied || !isGrounded(memory, input) || /\b(?:I|my|me|we|our)\b/.test(memory)
    ) {
      return [];
    }
    const claims = groundedClaims(raw, input);
    const fact = {
      memory,
      memory_type: raw.memory_type,
      importance: importanceOf(raw.memory_type, claims),
      event_date: resolveEventDate(raw, source, requestTime, input),
      valid_from: normalizeTimestamp(raw.valid_from ?? ""),
      valid_to: normalizeTimestamp(raw.valid_to ?? ""),
      claims,
      sources: [raw.source],
    };
    const parsed = extractedFactSchema.safeParse(fact);
    return parsed.success ? [parsed.data] : [];
  });
}
