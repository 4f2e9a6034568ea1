/** Finds the people and pets that a clause mentions, for its claims and for later pronouns. */
import { ANIMAL_WORDS, BREED_WORDS, RELATION_WORDS, relationAttribute } from "../lexicon/people.ts";
import { isFormer } from "../loss_events.ts";
import { names } from "../rules/family.ts";
import type { Draft, Mention } from "../rules/rule.ts";
import { BETWEEN, relationClaims, type Speaker } from "./subjects.ts";
import { NAME, NAMES } from "../values.ts";
import { compile } from "../lexicon/lines.ts";

const INTRODUCES = compile(
  `\\b(?:my|(?<=\\bI (?:\\p{Ll}+ ){1,4}(?<! (?:as|of|like|for|than|about|from|to|in|at|by|not) ))(?:an?|one)) (?:(?!(?:his|her|their|your) )[\\p{Ll}\\d][\\p{L}\\d-]* )*?(${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})(?!\\p{L})(?:,? (?:called|named) (${NAME})|,? (${NAME}))?`,
  "u",
);

/** "Marek is my brother-in-law": introduces a name for later pronouns. */
const IS_MINE = compile(
  `^(${NAME}) (?:is|was) my (?:\\p{Ll}[\\p{L}-]* )*?(${RELATION_WORDS})(?:$|,)`,
  "u",
);

/** "I'm seeing someone new, her name is Paloma". */
const SOMEONE =
  /^I (?:am|have been|have started) (?:seeing|dating|going out with) some(?:one|body)\b/;

/**
 * Returns the person or pet that the speaker's own clause introduces ("I adopted a kitten"), for
 * later pronouns.
 */
export function introduced(body: string, speaker: Speaker): Mention | null {
  const known = IS_MINE.exec(body);
  if (known) {
    return {
      subject: known[1]!.toLowerCase(),
      display: known[1]!,
      kind: "person",
      relation: known[2]!.toLowerCase(),
    };
  }
  if (SOMEONE.test(body)) {
    const [subject, display] = [`${speaker.subject}'s partner`, "my partner"];
    return {
      subject,
      display,
      kind: "person",
      fills: { owner: speaker.subject, attribute: "partner" },
    };
  }
  const m = INTRODUCES.exec(body);
  if (!m) return null;
  const relation = relationAttribute(m[1]!);
  const name = m[2] ?? m[3];
  const plain = m[1]!.toLowerCase();
  return {
    subject: name ? name.toLowerCase() : `${speaker.subject}'s ${plain}`,
    display: name ?? `my ${plain}`,
    kind: relation ? "person" : "pet",
    ...(name ? {} : { fills: { owner: speaker.subject, attribute: relation ?? "pet" } }),
    ...(relation ? { relation: plain } : { species: plain }),
  };
}

/** Puts a mention last, in place of an earlier one of the same subject. */
export function remember(mentions: Mention[], mention: Mention): void {
  forget(mentions, mention.subject);
  mentions.push(mention);
}

/** Removes a mention, e.g. once "her name is Tofu" was said of a nameless kitten. */
export function forget(mentions: Mention[], subject: string): void {
  const known = mentions.findIndex((one) => one.subject === subject);
  if (known >= 0) mentions.splice(known, 1);
}

/** "My boss's wife", "his brother Leon": people and animals of someone else. */
const OF_ANOTHER = compile(
  "(?:\\b(?:[Hh]is|[Hh]er|[Tt]heir|whose)" +
    "|(?<!\\b(?:[Ii]t|[Tt]hat|[Hh]e|[Ss]he|[Ww]hat|[Ww]ho|[Tt]here|[Hh]ere|[Ll]et))['’]s) " +
    "(?:(?!(?:an?|the|my|our|in|at|to|with|from|not)\\b)[\\p{L}-]+ ){0,2}?" +
    `(${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})(?![\\p{L}-]|['’]s)` +
    `(?:,? (?:called |named )?(?!I\\b)(${NAME}))?`,
  "gu",
);

/** Maximum number of mentions to which others are added. Each pronoun looks through all of them. */
const MAX_MENTIONS = 200;

/** Adds the people and animals that a text mentions as someone else's, unless they are known. */
export function rememberOthers(text: string, mentions: Mention[]): void {
  for (const [said, word = "", name] of text.matchAll(OF_ANOTHER)) {
    const subject = (name ?? said).toLowerCase();
    if (mentions.some((one) => one.subject === subject)) continue;
    const isPerson = relationAttribute(word) !== null;
    // "He" is then the person, not the pet.
    if (!isPerson && mentions.some(({ kind }) => kind === "person")) continue;
    if (mentions.length >= MAX_MENTIONS) return;
    mentions.push({
      subject,
      display: name ?? said,
      kind: isPerson ? "person" : "pet",
      ...(isPerson ? { relation: word } : { species: word }),
      isOfAnother: true,
    });
  }
}

const RELATIVE_ANYWHERE = compile(
  `\\b(?:my ${BETWEEN}|the (?=kids|children|twins))(${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})(?:s|es)?,? (?!I\\b)(${NAMES})`,
  "gu",
);

/** "I call my boyfriend Bear": a name between the two. */
const NICKNAMES = /\bI (?:\p{Ll}+ )?call $/u;

/** "Say hi to Nacho, my hamster": only after words that people and pets follow, not places. */
const RELATIVE_AFTER = compile(
  `(?<!\\b(?:in|from|near|around|of|outside|at|(?:move|moved|moving|relocate|relocated|go|went|going|flew|fly|drive|drove|travel|travelled|traveled|trip|trips|back|way|close|next|return|returned|welcome) to) )(?<=\\p{Ll} )(${NAMES}), my ${BETWEEN}(${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})(?:s|es)?(?=,|$)`,
  "gu",
);

/** A relation mentioned anywhere in a clause: "I visited my sister Klara in Malmö". */
export interface Passing {
  readonly mention: Mention;
  readonly drafts: readonly (Draft & { readonly subject: string })[];
}

/** Returns the relations that a clause mentions. */
export function namedRelatives(text: string, speaker: Speaker): readonly Passing[] {
  const found = [
    ...[...text.matchAll(RELATIVE_ANYWHERE)].filter((m) =>
      !NICKNAMES.test(text.slice(0, m.index)) || m.index + m[0].length < text.length
    ).map((m) => [m[1] ?? "", m[2]!, m[3]!] as const),
    ...[...text.matchAll(RELATIVE_AFTER)].map((m) => [m[2]!, m[3]!, m[1]!] as const),
  ];
  return found.flatMap(([before, word, named]) => {
    const relation = relationAttribute(word), former = isFormer(before, relation);
    return names(named).map((name): Passing => ({
      mention: {
        subject: name.toLowerCase(),
        display: name,
        kind: relation === null ? "pet" : "person",
        ...(relation === null ? { species: word } : { relation: word.toLowerCase() }),
      },
      drafts: (former ? [] : relationClaims([name], relation, relation === null, word, speaker))
        .map((draft) => ({ ...draft, subject: draft.subject ?? speaker.subject })),
    }));
  });
}
