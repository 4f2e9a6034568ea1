/** Corrects what the tagger finds in languages that the rules don't read, by the words next to it. */

import type { SentenceTags, TaggedLabel, TaggedSpan } from "../../tagger/mod.ts";
import { foreignAttribute, foreignRelation } from "../lexicon/foreign_people.ts";
import type { Language } from "../lexicon/languages.ts";
import { type Known, PEOPLE, type Person, subjectCalled } from "./people.ts";
import { RELATED_NAME } from "./thresholds.ts";

/** The word before a name. */
const BEFORE_NAME = /(?<![\p{L}-])(\p{L}+(?:-\p{L}+)?),? $/u;
const MINE =
  /(?<!\p{L})(?:mein\p{L}*|unser\p{L}*|mis?|nuestr[oa]|mon|ma|notre|meu|minha|noss[oa]|mi[oa]|nostr[oa])(?: \p{L}+)? $/iu;
const OF_OTHERS =
  /(?<!\p{L})(?:sein\p{L}*|ihr\p{L}*|dein\p{L}*|sus?|tus?|son|sa|ton|ta|leur|seu|sua|teu|tua|suo|tuo)(?: \p{L}+)? $/iu;

/** Former homes, employers and schools, by the attribute of present ones. */
const FORMER: Readonly<Record<string, string>> = {
  lives_in: "lived_in",
  works_at: "worked_at",
  studies_at: "studied_at",
};

/** Words of a clause about the past. */
const OF_THE_PAST: Readonly<Record<Language, RegExp>> = {
  de: /(?<!\p{L})(?:früher|davor|damals|vorher|zuvor|einst)(?!\p{L})[^,;.]*$/iu,
  es:
    /(?<!\p{L})(?:antes(?! de )|(?:estuve|trabajé|viví|estudié)(?!\p{L})|(?:trabajaba|vivía|estudiaba))(?!\p{L})[^;.]*$/iu,
  fr:
    /(?<!\p{L})(?:avant(?! d[e'])|autrefois|auparavant|étais|travaillais|habitais|vivais)(?!\p{L})[^;.]*$/iu,
  pt:
    /(?<!\p{L})(?:antes(?! de )|trabalhei|vivi|morei|estudei|trabalhava|morava|vivia|estudava)(?!\p{L})[^;.]*$/iu,
  it:
    /(?<!\p{L})(?:prima(?! d)|ero|lavoravo|abitavo|vivevo|studiavo|lavorato|abitato|vissuto)(?!\p{L})[^;.]*$/iu,
};

/** "Now" begins another clause than that about the past. */
const NOW = /(?<!\p{L})(?:jetzt|ahora|maintenant|agora|ora|adesso|hoy|heute|hoje|oggi)(?!\p{L})/iu;

/** What others call the user: not their own name. */
const CALLED =
  /(?<!\p{L})(?:nenn(?:t|en) mich|(?:me (?:dicen|llaman|chamam)|m'appellent|on m'appelle|mi chiamano))(?: alle)? $/iu;

/** "Trabajo de camarero": what they work as, not where. */
const AS =
  /(?<!\p{L})(?:arbeit\p{L}* (?:\p{L}+ )*als|trabaj[oaé] (?:de|como)|travaill\p{L}* comme|trabalh\p{L}+ como|lavor\p{L}+ come)(?: un[ae]?)? $/iu;

/** Wishes, which aren't tasks. */
const WISH =
  /(?<!\p{L})(?:möchte|würde gern\p{L}*|quiero|quisiera|me gustaría|j'aimerais|je (?:voudrais|veux)|quero|queria|gostava de|gostaria de|vorrei|voglio)(?: \p{L}+)? $/iu;

/** Numbers, and "and" between the parts of one ("trinta e cinco"). */
const NUMERIC = new Set(["age", "children", "siblings"]);
const AND = /^ (?:y|e|et|und) $/i;

/** What a number of a user's people counts. */
const SIBLINGS =
  /^ (?:\p{L}+ )?(?:schwestern?|br[uü]der|geschwister|herman[oa]s|frères?|sœurs?|soeurs?|irmãos?|irmãs?|fratell[oi]|sorell[ea])(?!\p{L})/iu;
const CHILDREN =
  /^ (?:\p{L}+ )?(?:kinder|söhne?|töchter|hij[oa]s|enfants?|filles?|fils|filh[oa]s|figli[oae]?)(?!\p{L})/iu;

/** Words that name a value which a sentence can also imply, by attribute and value. */
const STATED: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  marital_status: {
    married: word("verheiratet casad[oa]s? mariée?s? sposat[oaie]"),
    engaged: word("verlobt prometid[oa]s? comprometid[oa]s? fiancée?s? noiv[oa]s? fidanzat[oaie]"),
    separated: word("getrennt separad[oa]s? séparée?s? separat[oaie]"),
    divorced: word("geschieden divorciad[oa]s? divorcée?s? divorziat[oaie]"),
    widowed: word("verwitwet witwer? viud[oa] veuve? viúv[oa] vedov[oa]"),
    single: word("single ledig solter[oa] célibataire solteir[oa] celibe nubile"),
  },
  employment: {
    retired: word(
      "rentner(?:in)? pensioniert jubilad[oa] jubilé retraitée? aposentad[oa] reformad[oa] pensionat[oa]",
    ),
    unemployed: word("arbeitslos desemplead[oa] chômage desempregad[oa] disoccupat[oa]"),
  },
};

function word(alternatives: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${alternatives.replaceAll(" ", "|")})(?!\\p{L})`, "iu");
}

/** Returns the tags of a sentence with the attributes that the words next to the spans call for. */
export function withForeignWords(
  sentence: string,
  tags: SentenceTags,
  language: Language,
): SentenceTags {
  const spans = withWholeNumbers(sentence, tags.spans)
    .flatMap((span) => corrected(sentence, span, language) ?? []);
  const labels = tags.labels.flatMap((label) => stated(sentence, label, tags.labels) ?? []);
  return { ...tags, spans, labels };
}

/**
 * Returns a value without words as the one that the sentence names. Null for all but the likeliest
 * of several.
 */
function stated(
  sentence: string,
  label: TaggedLabel,
  all: readonly TaggedLabel[],
): TaggedLabel | null {
  const named = Object.entries(STATED[label.attribute] ?? {})
    .filter(([, words]) => words.test(sentence))
    .map(([value]) => value);
  if (named.length !== 1) return label;
  const isLikeliest = all.every(({ attribute, confidence }) =>
    attribute !== label.attribute || confidence <= label.confidence
  );
  return isLikeliest ? { ...label, value: named[0]! } : null;
}

/** Joins the parts of a number, of which the tagger sees each as one. */
function withWholeNumbers(sentence: string, spans: readonly TaggedSpan[]): readonly TaggedSpan[] {
  const joined: TaggedSpan[] = [];
  for (const span of spans) {
    const before = joined.at(-1);
    const isPart = before?.attribute === span.attribute && NUMERIC.has(span.attribute) &&
      AND.test(sentence.slice(before.end, span.start));
    if (isPart) joined.splice(-1, 1, { ...before, end: span.end });
    else joined.push(span);
  }
  return joined;
}

/** Returns a corrected span, or null if it is the name of someone else's relative. */
function corrected(sentence: string, span: TaggedSpan, language: Language): TaggedSpan | null {
  const { attribute, state } = span;
  const left = sentence.slice(0, span.start).replaceAll("’", "'");
  if (PEOPLE.has(attribute)) return withRelation(sentence, left, span, language);
  if (state !== "holds") return span;
  if (attribute === "children" || attribute === "siblings") return counted(sentence, span);
  if (attribute === "works_at" && AS.test(left)) return { ...span, attribute: "job_title" };
  const former = FORMER[attribute];
  if (former !== undefined) {
    return OF_THE_PAST[language].test(left) && !NOW.test(left)
      ? { ...span, attribute: former }
      : span;
  }
  if (attribute === "name" && CALLED.test(left)) return { ...span, attribute: "nickname" };
  if (attribute === "todo" && WISH.test(left)) return { ...span, attribute: "goal" };
  return span;
}

/** Returns the span of a number with what the word after it says that it counts. */
function counted(sentence: string, span: TaggedSpan): TaggedSpan {
  const right = sentence.slice(span.end);
  const words = ` ${sentence.slice(span.start, span.end).split(" ").slice(1).join(" ")}${right}`;
  const isOf = (what: RegExp) => what.test(right) || what.test(words);
  const attribute = isOf(SIBLINGS) ? "siblings" : isOf(CHILDREN) ? "children" : null;
  if (attribute === null || span.confidence < RELATED_NAME.foreign) return span;
  return { ...span, attribute, confidence: Math.max(span.confidence, RELATED_NAME.result) };
}

/** Returns the span of a name with the attribute of the relation word before it, if there is one. */
function withRelation(
  sentence: string,
  left: string,
  span: TaggedSpan,
  language: Language,
): TaggedSpan | null {
  const before = BEFORE_NAME.exec(left);
  const isName = /^\p{Lu}/u.test(sentence.slice(span.start, span.end));
  if (before === null || !isName || span.confidence < RELATED_NAME.foreign) return span;
  const owner = left.slice(0, before.index);
  const relation = foreignRelation(before[1]!, language, MINE.test(owner));
  if (relation === null || span.state.startsWith("other")) return span;
  if (OF_OTHERS.test(owner)) return null;
  return {
    ...span,
    attribute: foreignAttribute(relation),
    confidence: Math.max(span.confidence, RELATED_NAME.result),
  };
}

const WORD = /(?<![\p{L}-])\p{L}+(?:-\p{L}+)*/gu;

/** "El marido de mi hermana", "der Mann meiner Schwester": of them, not of the user. */
const OF_MINE =
  /(?<!\p{L})(?:(?:de|du|di|d[ao]|del|della|von) (?:l[ao] |il |[ao] )?|(?=(?:mein|unser)e[rs] ))(?:mein\p{L}*|unser\p{L}*|mis?|nuestr[oa]|mon|ma|notre|meu|minha|noss[oa]|mi[oa]|nostr[oa]) $/iu;
/** Words that put someone next to another person ("je vis avec ma sœur"). */
const BESIDE =
  /(?<!\p{L})(?:mit|bei|für|wie|con|para|por|como|avec|chez|pour|comme|com|per|come) (?:(?:l[ao']|il|[ao]) ?)?(?:\p{L}+ )?$/iu;
/** Family that needs no "my" at the start of a clause ("Maman habite à Brest"). */
const CALLED_BARE = /^(?:mother|father|grandmother|grandfather)$/;
const CLAUSE_START = /(?:^|[,;:.] ?|(?<!\p{L})(?:und|y|e|et|aber|pero|mais|mas|ma) )$/iu;

/** Returns the user's people whom a sentence calls by relation words, and those of other people. */
export function foreignRelatives(
  sentence: string,
  language: Language,
  known: Known,
): readonly Person[] {
  return [...sentence.matchAll(WORD)].flatMap(({ 0: word, index: start }): Person[] => {
    const left = sentence.slice(0, start);
    const isMine = MINE.test(left);
    const relation = foreignRelation(word, language, isMine);
    if (relation === null) return [];
    const isUsers = isMine
      ? !OF_MINE.test(left)
      : CALLED_BARE.test(relation) && CLAUSE_START.test(left);
    const person = { start, end: start + word.length, isPet: false, isBeside: BESIDE.test(left) };
    return isUsers
      ? [{ ...person, subject: subjectCalled(relation, known), relation }]
      : [{ ...person, subject: null }];
  });
}
