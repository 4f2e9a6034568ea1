/** Compares the facts found by the engine in a saying with the expected ones. */
import { factsOf } from "../../../src/inference/builtin/engine.ts";
import type { Readers } from "../../../src/inference/builtin/sentence_facts.ts";
import type { ExtractedFact, Message } from "../../../src/inference/extractor.ts";
import { comparable, isSingleValued } from "../../../src/inference/vocabulary.ts";
import type { Saying } from "./saying.ts";

/** The date of all sayings (a Wednesday). */
const DATE = "2026-03-18T09:00:00.000Z";

/** Differences between the facts found and those expected. */
export interface Verdict {
  /** Expected facts that weren't found. */
  readonly missing: readonly string[];
  /** Facts found but wrong. Each one is a false memory. */
  readonly wrong: readonly string[];
}

const messageOf = (text: string): Message => {
  const role = /^(assistant|system|developer):/.exec(text);
  return role
    ? { role: role[1] as Message["role"], content: text.slice(role[0].length) }
    : { role: "user", content: text };
};

/** A claim as written in a saying. The subject comes first, unless it's the user. */
interface Written {
  readonly slot: string;
  readonly value: string;
}
const CLAIM = /^(?:(.+?)\.)?([\p{L}_:]+)(!?=)(.*)$/u;
function written(item: string): Written {
  const [, subject = "user", attribute = "", op = "=", value = ""] = CLAIM.exec(item) ?? [];
  return { slot: `${subject}.${attribute}${op}`, value };
}
const slotOf = (claim: { subject: string; attribute: string; op: string }) =>
  `${claim.subject}.${claim.attribute}${claim.op === "end" ? "!=" : "="}`;

/** Checks whether a saying needs the tagger. */
export const isTagged = ([, follows]: Saying): boolean => follows.startsWith("tagged; ");

/** Compares the facts found in a saying with those expected. */
export async function judge([said, follows]: Saying, readers?: Readers): Promise<Verdict> {
  const facts = await factsOf({
    messages: said.split(" // ").map(messageOf),
    eventDate: DATE,
    requestTime: DATE,
  }, readers);
  const claims = facts.flatMap((fact) => fact.claims);
  const texts = facts.map((fact) => fact.memory);
  const missing: string[] = [], wrong: string[] = [];
  const allowed: Written[] = [];
  const matches = (
    expected: Written,
    claim: { subject: string; attribute: string; op: string; value: string },
  ) =>
    expected.slot === slotOf(claim) &&
    expected.value.split("|").some((value) => comparable(value) === comparable(claim.value));
  let about: readonly ExtractedFact[] = facts;
  for (const item of follows.split("; ")) {
    const [, word = "", rest = ""] = /^(never|has|is|on|from|to) (.+)$/.exec(item) ?? [];
    if (item === "tagged") continue;
    if (item === "nothing") {
      for (const text of texts) wrong.push(`stored: ${text}`);
    } else if (word === "never") {
      const expected = written(rest);
      for (const claim of claims) {
        const isNamed = expected.value === ""
          ? expected.slot === slotOf(claim)
          : matches(expected, claim);
        const isAllowed = allowed.some((other) => matches(other, claim));
        if (isNamed && !isAllowed) wrong.push(`${slotOf(claim)}${claim.value}`);
      }
    } else if (word === "has") {
      const found = facts.filter((fact) =>
        rest.split("|").some((part) => fact.memory.toLowerCase().includes(part.toLowerCase()))
      );
      if (!found.length) missing.push(item);
      else about = found;
    } else if (word === "is") {
      if (!about.some((fact) => rest.split("|").includes(fact.memory_type))) {
        missing.push(`${item}, was ${about.map((fact) => fact.memory_type)}`);
      }
    } else if (word === "on") {
      const dates = facts.flatMap((fact) => [fact.event_date, fact.valid_from]);
      if (!dates.some((date) => rest.split("|").some((start) => date?.startsWith(start)))) {
        missing.push(`${item}, was ${dates}`);
      }
    } else if (word === "from" || word === "to") {
      const dates = facts.map((fact) => word === "from" ? fact.valid_from : fact.valid_to);
      if (!dates.some((date) => date?.startsWith(rest))) missing.push(`${item}, was ${dates}`);
    } else {
      const expected = written(item.replace(/^\?/, ""));
      allowed.push(expected);
      if (!item.startsWith("?") && !claims.some((claim) => matches(expected, claim))) {
        missing.push(item);
      }
    }
  }
  for (const claim of claims) {
    if (allowed.some((expected) => matches(expected, claim))) continue;
    const isSingle = claim.subject === "user" && claim.op === "assert" &&
      isSingleValued(claim.attribute);
    const text = `${slotOf(claim)}${claim.value}`;
    if (isSingle && !wrong.includes(text)) wrong.push(text);
  }
  return { missing, wrong };
}
