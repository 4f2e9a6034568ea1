/** Cuts a sentence into clauses with one subject and one predicate each, so that every rule sees one fact. */
import { compile, pattern } from "../lexicon/lines.ts";
import { splitFront } from "./normalize.ts";
import { firstPerson, isModal, isPastVerb, VERBS } from "../lexicon/verbs.ts";
import { ANIMAL_WORDS, BREED_WORDS, RELATION_WORDS } from "../lexicon/people.ts";
import { NAME } from "../values.ts";

/** A clause: `body` starts with its subject, `front` is an adverbial from before it. */
export interface Clause {
  readonly body: string;
  readonly front: string;
  /** The word that joined the clause to the one before it ("because", "and"), or "". */
  readonly join: string;
}

const FINITE =
  /\b(?:am|is|are|was|were|have|has|had|do|does|did|can|could|will|would|must|should|(?<!\d )may(?! \d))\b/i;

/** Checks whether a text has a finite verb, so that it can be a clause of its own. */
export function hasVerb(text: string): boolean {
  if (
    /^(?:I|he|she|they|you|(?:[Mm]ost |[Ss]ome )?(?:[Pp]eople|[Ff]riends|[Ff]olks)|[Ee]veryone|[Ee]verybody) \p{Ll}+/u
      .test(text)
  ) return true;
  if (FINITE.test(text)) return true;
  if (/\b(?:put|set|cut|let|hit|quit|cost|hurt) (?:me|my|him|her|it|them|the|an?)\b/.test(text)) {
    return true;
  }
  const words = text.split(/[\s,]+/);
  return words.some((word, i) =>
    i > 0 &&
    (isPastVerb(word) ||
      (VERBS.has(word.toLowerCase()) && /^(?:I|they|not|who|never)$/i.test(words[i - 1] ?? "")) ||
      (/s$/.test(word) && /^\p{Ll}/u.test(word) && VERBS.has(firstPerson(word) ?? "")))
  );
}

const SUBJECT =
  `I|[Mm]y [\\p{L}'-]+|[Hh]e|[Ss]he|[Tt]hey|[Ii]t|[Hh]is|[Hh]er|[Tt]heir|[Yy]ou (?:can|may|could)|the user|there|that|this|home|(?:most |some )?(?:people|friends|folks)|everyone|everybody|${NAME} (?:is|was|has|lives|works|loves|likes|hates|plays|speaks|studies|\\p{Ll}+s)`;
const JOINED = pattern("u")`
  (?:\s*,)?\s+(and|but|so|while|whereas|though|although|plus|yet|
  where(?= I\b)(?<=,\s+where)|because(?! (?:of |my |it is |I (?:am|
  have) (?!.*\ballerg\p{L}+ to (?!(?:it|them|this|that|those|these|both|all|most|
  some)\b)))[^.]*allerg)|since(?= (?:I|my|he|she) (?!was\b)(?:am|is|have|has|work|live|
  \p{Ll}+s)\b)|as(?= I (?:am|have|work|live)\b)|which is why)(?: (?:also|now|then|so|
  since then|currently|these days|therefore|that))?\s+(?=(?:${SUBJECT})\s|(?:as of|in|on|at|
  since|after|now|these days|nowadays|last|this|every|for|most)\b[^,.]{0,40},? I\s)
`;
const COMMA = compile(
  `\\s*,\\s+(?!it is my name)(?=(?:(?:now|today|these days|currently|then|later|afterwards) (?=I ))?(?:I|[Hh]e|[Ss]he|[Tt]hey|it|[Mm]y [\\p{L}'-]+(?: [\\p{L}'-]+)?|[Hh]is|[Hh]er) (?:am|is|are|was|were|have|has|had|do|does|did|can|could|will|would|never|always|usually|mostly|also|just|even|really|no longer|used|name|favou?rite|\\p{Ll}+)\\b)`,
  "u",
);
/** "I'm a beginner: I started last week": a colon between two clauses, not after a label. */
const COLON = /^([^:;]{4,}): (?=(?:I|he|she|they|my|the) (\p{Ll}.*))/u;
/** "Two kids and a mortgage: I'm 44": before a self-description, no verb is needed. */
const BEFORE_SELF = /^[^:;]*,[^:;]*: I am (?:\d|an? )/;
/** "My sister Lea (she's a vet) lives in Bern". */
const ASIDE = /^([^()]{3,80}?) \(((?:she|he|they|it|who) [^()]{3,60})\)(.*)$/u;
/** "First, I hate calls, second, my number is new". */
const ORDINAL = /, (?:second|third|secondly|thirdly|finally|lastly),? (?=(?:I|my) )/g;
const HARD = /\s*;\s*|\s+(?:–|—|-{1,2})\s+|\s*—\s*/;

function cut(text: string, pattern: RegExp): [string, string, string] | null {
  let offset = 0;
  for (;;) {
    const m = pattern.exec(text.slice(offset));
    if (!m) return null;
    const at = offset + m.index, left = text.slice(0, at), right = text.slice(at + m[0].length);
    if (
      hasVerb(left) && hasVerb(right) &&
      !/\b(?:said|says|think|know|means?|both|between)$/i.test(left) &&
      (m[0].includes(",") || !/\b(?:that|mine)$/i.test(left))
    ) return [left, m[1] ?? "", right];
    offset = at + m[0].length;
  }
}

const OPEN_VERB =
  /\b(?:have|has|had|love|like|need|needs)(?: me| not)? to \w+|\b(?:want|wants|hope|hopes|plan|plans|planning|going|remind|forget|would|must|will|can|shall|intend|decided|decide|used|try|trying|ought|able|let|started|began)\b(?: me| not)?(?: to)? (?!been)\w+/i;
/** "Love cooking, hate washing up": each verb of taste has its own object. */
const TASTE = /^\S+ (?:\p{L}+ )?(?:love|like|enjoy|hate|adore|prefer)s? /u;
const OF_TASTE = /^(?:love|hate|dislike|detest|adore|prefer|loathe)s?$/;
const COORDINATE =
  /(?:\s*,\s*(?:and|but|then)?|\s+(?:and|but|then))(?: (?:also|now|then|currently|still|even|just|usually|mostly|always|never|no longer|hardly|barely|rarely|recently|really|absolutely))*\s+(?=((?:do not|does not|did not|can not|am|is)\s+)?(\p{Ll}[\p{L}-]*)\s+\S)/gu;

/** "… and never drink coffee": the second verb keeps its negation. */
const DENIES = /\b(?:never|no longer|hardly|barely|rarely)\s+$/i;

/** A description of the speaker that doesn't end with a name, who may be the one who moved. */
const SELF_DESCRIPTION = /^I (?:am|live|work|study|teach|run) (?!.*, \p{Lu}[\p{L}'-]+$)/u;

/** "I'm a cook in Leeds, moved here from Cork". */
const RELOCATES = /^(?:moved|relocated) (?:here|there|over|back|out|up|down|from|to)\b/;

/**
 * Splits coordinated verbs. In "I live in Porto and work as a nurse", the second gets the subject
 * of the first.
 */
function coordinated(text: string): string[] {
  const subject = /^[Mm]y (?:[\p{L}'-]+ ){1,4}and I\b/u.test(text)
    ? "I"
    : /^(I|[Mm]y (?:\p{Ll}[\p{L}'-]* )*?[\p{L}'-]+(?: \p{Lu}[\p{L}'-]*)*(?= (?:(?:am|is|are|was|were|has|have|had|does|do|did|can|will|would|just|also|still|always|never|now|really|usually|used)\b|\p{Ll}+(?:s|ed)\b))|[Hh]e|[Ss]he|[Tt]hey|who|[Tt]he user|User|\p{Lu}[\p{L}'-]+)(?=\s)/u
      .exec(text)?.[1]?.trim();
  if (!subject) return [text];
  for (const m of text.matchAll(COORDINATE)) {
    // A conjunction inside the subject joins nouns. Without this check the same text would be read
    // again, without end. With it, each step has one conjunction less to read.
    if (m.index < subject.length) continue;
    const left = text.slice(0, m.index), right = text.slice(m.index + m[0].length);
    const verb = (m[2] ?? "").toLowerCase();
    // "…, just like my sister": a comparison.
    if (verb === "like" && !/\b(?:and|but|then)\b/.test(m[0])) continue;
    const denied = DENIES.exec(m[0])?.[0] ?? "";
    // "Left Intel in 2021, been at Arm ever since".
    if (verb === "been" && hasVerb(left)) return [left, ...coordinated(`${subject} have ${right}`)];
    const past = RELOCATES.test(right) && SELF_DESCRIPTION.test(left) ||
      (isPastVerb(verb) || /^(?:quit|retired)$/.test(verb)) &&
        (left.split(/\s+/).some(isPastVerb) ||
          /^\S+ (?:quit|put|cut|hit|hurt|shut|split)\b/.test(left));
    const present = VERBS.has(verb) ||
      (VERBS.has(firstPerson(verb) ?? "") && subject !== "I" && /s$/.test(verb));
    if (TASTE.test(left) && OF_TASTE.test(verb)) {
      const agreeing = subject === "I" ? right.replace(verb, firstPerson(verb) ?? verb) : right;
      return [left, ...coordinated(`${subject} ${agreeing}`)];
    }
    if (
      !(past || present || m[1]) || !hasVerb(left) ||
      OPEN_VERB.test(left.replace(/\bI (?:have|love|like) (?:a|an|the|two|three|to)\b/i, ""))
    ) continue;
    if (/\b(?:to|not|like|love|enjoy|hate|born)$/i.test(left)) continue;
    if (
      /^(?:of|for|in|at|and|or|is|are|was|were|,)\b/i.test(
        right.slice((m[1]?.length ?? 0) + verb.length).trim(),
      ) && !(past && /\b(?:and|then|but)\b/.test(m[0])) &&
      !/^(?:live|lives|work|works|am|is|study|studies|go|goes|come|specialize|specialise|lived|worked|studied|moved|volunteer|volunteers|train|major)$/
        .test(verb)
    ) continue;
    if (
      !denied &&
      /^(?:love|like|enjoy|hate|adore|prefer)$/.test(/^\S+ (\S+)/.exec(left)?.[1] ?? "") &&
      !/^(?:live|work|have|own|run|speak|hate|love|like|prefer|detest|adore|study|drive|use|avoid|dislike|do|am|can|lives|works|has|hates|loves|likes|is|play)$/
        .test(verb)
    ) continue;
    return [left, ...coordinated(`${subject} ${denied}${right}`)];
  }
  return [text];
}

const ANTECEDENT = compile(
  `^(.*?\\b(?:[Mm]y (?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS})(?: ${NAME})?|(?:an?|one|two|the) (?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})(?:,? (?:called|named) ${NAME}|,? ${NAME})?)),? (?:who|which|that)\\s+((?:is|are|has|was|\\p{Ll}+s|\\p{Ll}+ed|just|also|works|lives)\\b[^,]*)(?:,\\s*|$)(.*)$`,
  "u",
);

/** "Ines, who I share a flat with, is a chef". */
const NAME_WHO = compile(`^(${NAME}), (?:who|whom) ([^,]+), (.+)$`, "u");

/** "My friend Ada, an architect, lives in Turin". */
const DESCRIBED = compile(
  `^((?:[Mm]y (?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS})(?: ${NAME})?|${NAME})), (an? [^,]{3,40}), ((?:is|was|has|lives|works|\\p{Ll}+(?:s|ed))\\b.*)$`,
  "u",
);

/** "I'm engaged to Rosa, a dentist from Valencia": of her. */
const WITH_NAMED = compile(
  `^(I .*\\b(?:(?:married|engaged) to|with|wed) ${NAME}), (an? [^,]{3,60})$`,
  "u",
);

/** "I work at Bosch, living in Ulm". */
const TRAILING =
  /^(I (?!am\b)[^,]+?), ((?:living|based|studying) (?:in|at|near) [^,]+|(?:being|as) (?:an? )?(?:vegan|vegetarian|diabetic|coeliac|celiac)\b.*)$/u;

/** Splits relative clauses about a person or pet into clauses with "who" as their subject. */
function relative(text: string): string[] {
  const m = ANTECEDENT.exec(text);
  if (m) {
    const rest = m[3]?.trim() ?? "";
    // "I have a sister who is a vet, and a brother": the relative clause ends before "and".
    const had = /^I have\b/.test(m[1]!)
      ? /^(?:,? ?and )?(?=(?:an?|one|two|three) )/.exec(rest)
      : null;
    if (had && rest) {
      return [m[1]!, `who ${m[2]}`, ...relative(`I have ${rest.slice(had[0].length)}`)];
    }
    const main = `${m[1]} ${rest}`.trim();
    return [hasVerb(main) ? main : `${m[1]}`, `who ${m[2]}`].filter(Boolean);
  }
  const aside = NAME_WHO.exec(text);
  if (aside) {
    return [`${aside[1]} ${aside[3]}`, ...(hasVerb(`x ${aside[2]}`) ? [`who ${aside[2]}`] : [])];
  }
  const described = DESCRIBED.exec(text);
  if (described && hasVerb(`x ${described[3]}`)) {
    return [`${described[1]} ${described[3]}`, `who is ${described[2]}`];
  }
  const other = WITH_NAMED.exec(text);
  if (other) return [other[1]!, `who is ${other[2]}`];
  const trailing = TRAILING.exec(text);
  if (trailing && hasVerb(trailing[1]!)) return [trailing[1]!, `I am ${trailing[2]}`];
  const born = /^(I am (?:an? )?[^,]{2,40}), (born (?:and (?:raised|bred) )?(?:in|on) .+)$/.exec(
    text,
  );
  if (born) return [born[1]!, `I was ${born[2]}`];
  const own = /^(I am (?:an? )?[^,]*?)(?:,)? who (?:also )?(?!am\b)(\p{Ll}+)(\s.*)$/u.exec(text);
  const verb = own ? firstPerson(own[2]!) ?? own[2]! : "";
  return own ? [own[1]!, `I ${verb}${own[3]}`] : [text];
}

/** Rewrites "my wife, Amara, is …" and "Rosa, my neighbour, is …" as "my wife Amara is …". */
function appositions(text: string): string {
  return text
    .replace(
      new RegExp(
        `\\b([Mm]y (?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS}))(?: of [^,]{3,20})?, (${NAME}(?:(?:, | and |, and )${NAME})*)(,| who| is| was| has| and I)`,
        "gu",
      ),
      (_a, rel: string, name: string, tail: string) => `${rel} ${name}${tail === "," ? "" : tail}`,
    )
    .replace(
      new RegExp(
        `^([Mm]y (?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS}))(?:,| -| –| \\() (?:his|her|its|their) name is (${NAME})(?:,| -| –|\\))(?= )`,
        "u",
      ),
      "$1 $2",
    )
    .replace(
      new RegExp(
        `^([Mm]y (?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS})), an? [^,]{3,40}? (?:called|named) (${NAME}),`,
        "u",
      ),
      "$1 $2",
    )
    .replace(
      new RegExp(
        `^(${NAME}), ([Mm]y (?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS}))(?:,|(?= (?:and|\\p{Ll}+(?:s|ed))\\b))(?= )`,
        "u",
      ),
      "$2 $1",
    )
    .replace(
      new RegExp(
        `\\b([Mm]y (?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS}))(?:,)? (?:called|named|whose names? (?:is|are)|by the name of) (${NAME}),?`,
        "gu",
      ),
      "$1 $2",
    );
}

function pieces(text: string, join: string): [string, string][] {
  const found = cut(text, JOINED) ?? cut(text, COMMA);
  if (!found) return [[text, join]];
  const [left, word, right] = found;
  return [...pieces(left, join), ...pieces(right, word || ",")];
}

/** Returns the clauses of an expanded sentence. */
export function clauses(sentence: string): readonly Clause[] {
  const out: Clause[] = [];
  for (
    const part of appositions(sentence).replace(ASIDE, "$1$3; $2").replace(ORDINAL, "; ").replace(
      COLON,
      (all, left: string, right: string, _at: number, whole: string) =>
        hasVerb(left) && hasVerb(`x ${right}`) || BEFORE_SELF.test(whole) ? `${left}; ` : all,
    ).split(HARD)
  ) {
    if (!part.trim()) continue;
    const { front, body } = splitFront(part.trim());
    pieces(body, out.length ? "," : "").forEach(([piece, join], index, all) => {
      const inner = splitFront(piece);
      const own = relative(inner.body).flatMap(coordinated);
      own.forEach((one, i) =>
        out.push({
          body: one.trim(),
          front: inner.front || (index === 0 ? front : sharedDate(front, all[0]![0], one)),
          join: i ? "and" : join,
        })
      );
    });
  }
  return out.filter((clause) => /\p{L}/u.test(clause.body));
}

const isPast = (clause: string): boolean => clause.split(/[\s,]+/).some(isPastVerb);

/**
 * A leading date holds for every clause in the same tense as the first; other leading adverbials
 * only for the first ("Every Sunday I call my gran, she's 91", "Last week I ran a race, I'm 40").
 */
function sharedDate(front: string, first: string, clause: string): string {
  if (/\b(?:every|each|most|any)\b/i.test(front) || isPast(first) !== isPast(clause)) return "";
  return /\b(?:\d{4}|yesterday|today|tomorrow|last|next|ago|this (?:week|month|year)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i
      .test(front)
    ? front
    : "";
}

/** Checks whether a word is a verb form that can follow a subject. */
export const isVerbForm = (word: string): boolean =>
  isModal(word) || isPastVerb(word) || VERBS.has(word.toLowerCase()) ||
  VERBS.has(firstPerson(word) ?? "");
