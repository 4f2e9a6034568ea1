/** Gives memories a text that can be read without the message: in the third person, about someone. */

import type { Claim, ExtractedFact } from "../extractor.ts";
import { importanceOf, memoryTypeOf, slotKey } from "../vocabulary.ts";
import { claimsText } from "./claim_texts.ts";
import { hasVerb } from "./clauses/clauses.ts";
import { isPastVerb, VERBS } from "./lexicon/verbs.ts";
import type { Turn } from "./message/speakers.ts";
import type { Mentions } from "./statements.ts";
import { PEOPLE } from "./tagged/people.ts";

/** "User prefers the assistant to be brief": about the assistant all the same. */
const OF_ASSISTANT = /^User(?:'s)? (?:\p{L}+ ){1,3}the assistant\b/u;

/** Where a part of a sentence that speaks to the assistant may begin. */
const PART =
  /\s*[,;]\s|\s(?:and|so|but|because|cos|if|when|where|which|what|how|in case|would|could|can|does|do)\b/g;
const HANGING = /[\s,;]+(?:and|so|but|because|if|when|where|which|what|how|that|in case)$/;

/** "User, agnostic", and "User's is a Škoda" for "mine is a Škoda". */
const NO_PREDICATE = /^User,|\bUser's(?::| (?:is|are|was|were|has|had|says|runs)\b)/;

/** "Every January, User says the same thing, and …". */
const FRONTED =
  /^(?:after|as of|at|before|by|during|each|ever since|every|for|from|in|last|next|on|once|over|since|this|to|until|when|while|with|without) [^,]{1,70}, User (?!they\b)/i;

/** "Alfie", "Michiyo, the one in Lyon": without a verb that is known, not a sentence. */
const FRAGMENT = /^(?:\S+ ){0,2}\S+$|^(?:\S+ ){0,3}\S+,/;

/** How many words may name the subject of a sentence: "The little one, Oskar, starts school". */
const MAX_SUBJECT_WORDS = 4;
const NO_SUBJECT = /^(?:it|its|he|she|they|his|her|their|this|that|there|who|when|if)$/;

/** Pronouns that mean someone, and those that may. */
const SOMEONE = /^(?:he|she|they|his|her|their|who)$/;
const MAYBE_SOMEONE = /^(?:it|its|this|that)$/;

/** "Home is where User lives": a whole sentence, with the user in its predicate. */
const STATEMENT =
  /^(?!(?:it|he|she|they|this|that|there|who)\b)(?:\S+ ){1,5}(?:is|are|was|were|has|had) .*\bUser\b/i;

/**
 * Returns the facts of a message with texts of their claims in place of those that aren't clear.
 * Drops texts without claims that can't be read, and claims about the user in which an unclear
 * pronoun may mean someone of `mentions`.
 *
 * @param areStatements false if the texts are questions or requests, so that none of them is clear
 */
export function clearFacts(
  facts: readonly ExtractedFact[],
  { speaker }: Turn,
  mentions: Mentions,
  areStatements = true,
): ExtractedFact[] {
  return facts.flatMap((fact) => {
    const memory = withoutAddress(fact.memory);
    const isWhole = fact.claims.every(({ value }) =>
      memory.includes(value) || !fact.memory.includes(value)
    );
    if (fact.claims.length === 0) {
      return isReadable(memory) ? [{ ...fact, memory }] : [];
    }
    if (areStatements && isWhole && isClear(memory, fact.claims, speaker.display)) {
      return [{ ...fact, memory }];
    }
    const groups = Map.groupBy(fact.claims, (claim) => `${claim.op}\n${slotKey(claim)}`);
    const claimed = [...groups.values()].filter(([first]) =>
      first!.subject !== speaker.subject ||
      !mayBeOfAnother(fact.memory, first!, speaker.display, mentions)
    );
    return claimed.map((claims): ExtractedFact => {
      const memory_type = groups.size === 1 ? fact.memory_type : memoryTypeOf(claims[0]!.attribute);
      return {
        ...fact,
        memory: claimsText(claims, fact.memory, speaker),
        memory_type,
        importance: importanceOf(memory_type, claims),
        claims,
      };
    });
  });
}

/** "He is on parental leave": about someone unknown. */
const UNRESOLVED = /^(?:(?:and|but|so|then|oh),? )*(?:he|she|it|his|hers?|its)\b/i;
/** "Use pytest, all my tests are in it". */
const REQUEST =
  /^(?:please |just )?(?:add|answer|book|bring|call|count|find|give|keep|leave|make|mark|reply|say|set|sign|start|tell|use|write) /i;

/** Where the clause of an order ends. */
const NEXT_CLAUSE = /[,.;:!?]| (?:that|which|who|when|where|while|if|because|since|so|and|but) /i;

/** Whether a text is an order, not a statement such as "Sign language is my first". */
function isRequest(text: string): boolean {
  const order = REQUEST.exec(text)?.[0];
  return order !== undefined && !hasVerb(text.slice(order.length).split(NEXT_CLAUSE)[0]!);
}

/** Whether a text without claims can be read: a sentence about someone that speaks to no one. */
const isReadable = (text: string): boolean =>
  !UNRESOLVED.test(text) && !isRequest(text) &&
  !(/\bthe assistant\b/i.test(text) && !OF_ASSISTANT.test(text)) &&
  (text.startsWith("User") || hasVerb(text) || !FRAGMENT.test(text));

/** Whether a text says whom it is about and speaks to no one. */
function isClear(text: string, claims: readonly Claim[], user: string): boolean {
  if (/\bthe assistant\b/i.test(text)) return OF_ASSISTANT.test(text);
  if (NO_PREDICATE.test(text)) return false;
  if (text.startsWith(user) || FRONTED.test(text) || STATEMENT.test(text)) return true;
  const start = text.split(" ", MAX_SUBJECT_WORDS).join(" ").toLowerCase();
  const words = `${start.replace(/[,.;:]|'s\b/g, "")} `;
  // "The team chose Kubernetes": decisions can be of others.
  const isNamed = claims.some(({ subject, attribute, value }) =>
    attribute.startsWith("decision") || words.includes(`${subject} `) ||
    PEOPLE.has(attribute) && words.includes(`${value.toLowerCase()} `)
  );
  const [first = ""] = words.split(" ");
  return isNamed && !REQUEST.test(text) && !NO_SUBJECT.test(first) && !isPastVerb(first) &&
    !VERBS.has(first) &&
    (hasVerb(text) || !FRAGMENT.test(text));
}

/**
 * Checks whether a claim about the user comes from a text that doesn't mention them, but begins with
 * a pronoun that may mean someone else ("It is a poodle called Max").
 */
function mayBeOfAnother(
  text: string,
  { attribute }: Claim,
  user: string,
  mentions: Mentions,
): boolean {
  const first = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? "";
  return !text.includes(user) &&
    (SOMEONE.test(first) ||
      MAYBE_SOMEONE.test(first) && (PEOPLE.has(attribute) || mentions.length > 0));
}

/** "User is diabetic, can you adjust it" without what was said to the assistant. */
function withoutAddress(text: string): string {
  const address = /\bthe assistant\b/i.exec(text);
  if (address === null || OF_ASSISTANT.test(text)) return text;
  const start = [...text.matchAll(PART)].findLast(({ index }) => index < address.index)?.index;
  if (start === undefined) return text;
  let out = text.slice(0, start);
  while (HANGING.test(out)) out = out.replace(HANGING, "");
  return out.split(" ").length < 3 ? text : out;
}
