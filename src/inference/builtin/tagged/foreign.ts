/** Corrects what the tagger finds in languages that the rules don't read, by the words next to it. */

import type { SentenceTags, TaggedLabel, TaggedSpan } from "../../tagger/mod.ts";
import { foreignAttribute, foreignRelation, MY } from "../lexicon/foreign_people.ts";
import { foreignStatus, isStatus } from "../lexicon/foreign_statuses.ts";
import { type ByLanguage, byLanguage, type Language } from "../lexicon/languages.ts";
import { compile } from "../lexicon/lines.ts";
import { ASSERTED_BY_DENIAL } from "./claims.ts";
import { type Known, PEOPLE, type Person, subjectCalled } from "./people.ts";
import { RELATED_NAME } from "./thresholds.ts";

/** The word before a name, with "petit" of "petit ami". */
const BEFORE_NAME = /(?<![\p{L}-])((?:petite? (?=amie?,? $))?\p{L}+(?:-\p{L}+)?),? $/u;

/** Adjectives that may be between "my" and a relation word. Not "ex", which changes the relation. */
const ADJECTIVES =
  "(?:(?:klein|groß|älter|ältest|jünger|jüngst|lieb|neu|best|gut|alt|zweit|erst)e[mnrs]?|" +
  "futur[oae]?|querid[oa]|pequeñ[oa]|nuev[oa]|mejor|segund[oa]|petite?|grande?|chère?|jeune|nouvelle|" +
  "nouveau|meilleure?|vieille|vieux|nov[oa]|melhor|car[oa]|nuov[oa]|migliore?|second[oa])";

/** "My" right before a word, and with an adjective in between. */
const AFTER_MY = byLanguage((language) => compile(`(?<!\\p{L})${MY[language]} $`, "iu"));
const MINE = byLanguage((language) =>
  compile(`(?<!\\p{L})${MY[language]} (?:${ADJECTIVES} )?$`, "iu")
);

/** Words before the user's relatives that other people belong to ("el marido de mi", "der Mann meiner"). */
const OF_MINE: ByLanguage<RegExp> = {
  ...byLanguage((language) =>
    compile(
      `(?<!\\p{L})(?:d[aeiou]|del|della|d') ?(?:l[ao'] |il |[ao] )?${
        MY[language]
      } (?:${ADJECTIVES} )?$`,
      "iu",
    )
  ),
  // A noun is before a genitive. "Mit meiner Schwester" is a dative.
  de: compile(
    `(?:\\bvon (?:mein|unser)e[mnr]|(?<!\\b(?:Mit|Bei|Von|Zu|Nach|Seit|Aus|Laut|Dank|Wegen|Trotz|Neben|Außer|In|Ich|Wir|Habe) )(?<=\\p{Lu}\\p{L}* )(?:mein|unser)e[rs]) (?:${ADJECTIVES} )?$`,
    "u",
  ),
};

const OF_OTHERS =
  /(?<!\p{L})(?:sein\p{L}*|ihr\p{L}*|dein\p{L}*|sus?|tus?|son(?! mi )|sa|ton|ta|leur|seu|sua|teu|tua|suo|tuo)(?: \p{L}+)? $/iu;

/** Former homes, employers and schools, by the attribute of present ones. */
const FORMER: Readonly<Record<string, string>> = {
  lives_in: "lived_in",
  works_at: "worked_at",
  studies_at: "studied_at",
};

/** Words of a clause about the past. */
const OF_THE_PAST: ByLanguage<RegExp> = {
  de: /(?<!\p{L})(?:früher|davor|damals|vorher|zuvor|einst)(?!\p{L})[^,;.]*$/iu,
  es:
    /(?<!\p{L})(?:antes(?! del? )|(?:estuve|trabajé|viví|estudié)(?!\p{L})|(?:trabajaba|vivía|estudiaba))(?!\p{L})[^;.]*$/iu,
  fr:
    /(?<!\p{L})(?:avant(?! d[e'])|autrefois|auparavant|étais|travaillais|habitais|vivais|étudiais)(?!\p{L})[^;.]*$/iu,
  pt:
    /(?<!\p{L})(?:antes(?! de )|trabalhei|vivi|morei|estudei|trabalhava|morava|vivia|estudava)(?!\p{L})[^;.]*$/iu,
  it:
    /(?<!\p{L})(?:prima(?! d)|ero|lavoravo|abitavo|vivevo|studiavo|lavorato|abitato|vissuto|studiato)(?!\p{L})[^;.]*$/iu,
};

/** "Now" begins another clause than that about the past. */
const NOW = /(?<!\p{L})(?:jetzt|ahora|maintenant|agora|ora|adesso|hoy|heute|hoje|oggi)(?!\p{L})/iu;

/** What others call the user: not their own name. */
const CALLED =
  /(?<!\p{L})(?:nenn(?:t|en) mich|(?:me (?:dicen|llaman|chamam)|m'appellent|on m'appelle|mi chiamano))(?: alle)? $/iu;

/** "Trabajo de camarero": what they work as, not where. */
const WORKING_AS =
  /(?<!\p{L})(?:arbeite(?: (?!(?:lieber|mehr|länger|öfter|eher) )\p{L}+)* als|trabaj(?:o|a|ando) (?:de|como)|travailles? (?:comme|en tant que)|trabalh(?:o|a|ando) como|lavor[oa] come)(?: un[ae]?)? $/iu;

/** Wishes, which aren't tasks. */
const WISH =
  /(?<!\p{L})(?:möchte|würde gern\p{L}*|quiero|quisiera|me gustaría|j'aimerais|je (?:voudrais|veux)|quero|queria|gostava de|gostaria de|vorrei|voglio)(?: \p{L}+)? $/iu;

/** Numbers, and "and" between the parts of one ("trinta e cinco"). */
const NUMERIC = new Set(["age", "children", "siblings"]);
const AND = /^ (?:y|e|et|und) $/i;

/** What a number of a user's people counts. */
const SIBLINGS =
  /^ (?:\p{L}+ )?(?:schwestern?|br[uü]der|geschwister|herman[oa]s|frères?|sœurs?|soeurs?|irmãos?|irmãs?|fratell[oi]|sorell[ea])(?!\p{L})/iu;
const PETS =
  /^ (?:\p{L}+ )?(?:hunde|katzen|perr[oa]s|gat[oa]s|chiens|chats|cães|cachorr[oa]s|cani|gatti)(?!\p{L})/iu;
const CHILDREN =
  /^ (?:\p{L}+ )?(?:kinder|söhne?|töchter|hij[oa]s|enfants?|filles?|fils|filh[oa]s|figli[oae]?)(?!\p{L})/iu;

/** Words that deny the rest of a clause, or say that it's only almost so. "Nicht nur" does neither. */
const DENIED: ByLanguage<RegExp> = {
  de: /(?<!\p{L})(?:nicht(?! nur)|kein\p{L}*|nie|niemals|fast|beinahe)(?!\p{L})[^,;:.]*/giu,
  es: /(?<!\p{L})(?:no(?! s[oó]lo)|nunca|jamás|casi)(?!\p{L})[^,;:.]*/giu,
  fr: /(?<!\p{L})(?:ne|pas(?! seulement)|jamais|presque)(?!\p{L})[^,;:.]*|(?<!\p{L})n'[^,;:.]*/giu,
  pt: /(?<!\p{L})(?:não(?! só)|nunca|jamais|quase)(?!\p{L})[^,;:.]*/giu,
  it: /(?<!\p{L})(?:non(?! solo)|mai|quasi)(?!\p{L})[^,;:.]*/giu,
};

/** "Ero sposata", "war Lehrerin": no longer. */
const WAS = /(?<!\p{L})(?:war|era|étais|ero)(?: \p{L}+){0,2} $/iu;

/** "I miei amici sono sposati": several people, which the user is one of if "we" is said. */
const SEVERAL = /(?:[oa]s|[ée]e?s|at[ie]|ov[ie])$/iu;
const WE = /(?<!\p{L})(?:nosotr[oa]s|estamos|somos|nous|sommes|nós|noi|siamo)(?!\p{L})/iu;

/** "I am", with up to five words after it. */
const I_AM = /(?<!\p{L})(?:bin|soy|estoy|suis|sou|estou|tô|sono)((?: [\p{L}\d]+){1,5})/giu;

/**
 * Returns the tags of a sentence with the attributes that the words next to the spans call for, and
 * with the status that the user names.
 */
export function withForeignWords(
  sentence: string,
  tags: SentenceTags,
  language: Language,
): SentenceTags {
  const spans = withWholeNumbers(sentence, tags.spans)
    .flatMap((span) => corrected(sentence, span, language) ?? []);
  return { ...tags, spans, labels: withStatuses(sentence, tags.labels, language) };
}

/**
 * Returns the values without words of a sentence: without statuses that it denies, and if the user names
 * their status, only the likeliest label of that attribute, with the named value.
 */
function withStatuses(
  sentence: string,
  labels: readonly TaggedLabel[],
  language: Language,
): readonly TaggedLabel[] {
  const denied = [...sentence.replaceAll("’", "'").matchAll(DENIED[language])]
    .map(([words]) => words);
  const selves = [...sentence.matchAll(I_AM)].map(([, words]) => words!);
  return labels.flatMap((label) => {
    const { attribute, ended, confidence } = label;
    const named = (texts: readonly string[]) =>
      texts.map((text) => foreignStatus(attribute, text)).find((value) => value !== null) ?? null;
    if (named(denied) !== null) return ended ? label : [];
    const status = named(selves);
    if (status === null) return label;
    const isLikeliest = labels.every((other) =>
      other.attribute !== attribute || other.confidence <= confidence
    );
    return isLikeliest ? { ...label, value: status } : [];
  });
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
  const isAsserted = ASSERTED_BY_DENIAL.has(attribute) && !isStatus(attribute);
  if (!isAsserted && isDenied(left, language)) return null;
  if (isStatus(attribute) && SEVERAL.test(sentence.slice(span.start, span.end))) {
    return WE.test(sentence) ? span : null;
  }
  if (attribute === "children" || attribute === "siblings") return counted(sentence, span);
  if (attribute === "works_at" && WORKING_AS.test(left)) return { ...span, attribute: "job_title" };
  const isPast = OF_THE_PAST[language].test(left) && !NOW.test(left);
  if (attribute === "job_title" || isStatus(attribute)) {
    return isPast || WAS.test(left) ? { ...span, state: "ended" } : span;
  }
  const former = FORMER[attribute];
  if (former !== undefined) return isPast ? { ...span, attribute: former } : span;
  if (attribute === "name" && CALLED.test(left)) return { ...span, attribute: "nickname" };
  if (attribute === "todo" && WISH.test(left)) return { ...span, attribute: "goal" };
  return span;
}

/** Checks whether words before a value deny it. */
const isDenied = (left: string, language: Language): boolean =>
  [...left.matchAll(DENIED[language])].some(({ 0: words, index }) =>
    index + words.length === left.length
  );

/** Returns the span of a number with what the word after it says that it counts. Null for pets. */
function counted(sentence: string, span: TaggedSpan): TaggedSpan | null {
  const right = sentence.slice(span.end);
  const words = ` ${sentence.slice(span.start, span.end).split(" ").slice(1).join(" ")}${right}`;
  const isOf = (what: RegExp) => what.test(right) || what.test(words);
  if (isOf(PETS)) return null;
  const attribute = isOf(SIBLINGS) ? "siblings" : isOf(CHILDREN) ? "children" : null;
  if (attribute === null || span.confidence < RELATED_NAME.foreign) return span;
  return { ...span, attribute, confidence: Math.max(span.confidence, RELATED_NAME.result) };
}

/** Words between a relation word and a name. */
const IS_CALLED = /,? (?:heißt|se llama|s'appelle|(?:se )?chama(?:-se)?|si chiama) $/iu;

/**
 * Returns the span of a name with the attribute of the relation word before it, if there is one. Null if
 * it's the name of someone else's relative.
 */
function withRelation(
  sentence: string,
  left: string,
  span: TaggedSpan,
  language: Language,
): TaggedSpan | null {
  const isNamed = IS_CALLED.test(left);
  const before = BEFORE_NAME.exec(left.replace(IS_CALLED, " "));
  const isName = /^\p{Lu}/u.test(sentence.slice(span.start, span.end));
  if (before === null || !isName || span.confidence < RELATED_NAME.foreign) return span;
  const owner = left.slice(0, before.index), word = before[1]!;
  if (span.state.startsWith("other")) return span;
  // "Die Frau meines Bruders heißt Petra".
  const anyones = foreignRelation(word, language, true) ??
    (isNamed && language === "de"
      ? foreignRelation(word.replace(/e?s$/, ""), language, true)
      : null);
  if (anyones === null) return span;
  if (OF_OTHERS.test(owner) || isNamed && OF_MINE[language].test(owner)) return null;
  const relation = foreignRelation(word, language, AFTER_MY[language].test(owner));
  return relation === null || isNamed ? span : {
    ...span,
    attribute: foreignAttribute(relation),
    confidence: Math.max(span.confidence, RELATED_NAME.result),
  };
}

const WORD = /(?<![\p{L}-])(?:petite? (?=amie?(?!\p{L})))?\p{L}+(?:-\p{L}+)*/giu;

/** Words after a relation word that make it another one, with "my" and without. */
const NOT_MINE =
  /^ (?:de|di|da) (?:piso|clase|cuarto|baile|stanza|classe|squadra|quarto|turma|chambre)(?!\p{L})/iu;
const NOT_CALLED =
  /^ (?:de|del|d[aoi]|della|von|mia|soltera|solteira|célibataire|ex)(?!\p{L})|^ d'/iu;

/** Words that put someone next to another person ("je vis avec ma sœur"). */
const NEXT_TO_ANOTHER =
  /(?<!\p{L})(?:mit|bei|für|wie|dank|seit|con|col|coi|para|por|como|avec|chez|pour|comme|com|per|come) (?:(?:l[ao']|il|[ao]) ?)?(?:\p{L}+ ){0,2}$/iu;

/** Family that needs no "my" at the start of a clause ("Maman habite à Brest"). */
const CALLED_BARE =
  /^(?:mama|mutti|papa|vati|oma|opa|omi|opi|mamá|papá|maman|mamie|mémé|papi|papy|pépé|mamãe|mamã|papai|vovó|vovô|mamma|papà|babbo|nonna|nonno)$/iu;
const CLAUSE_START = /(?:^|[,;:.] ?|(?<!\p{L})(?:und|y|e|et|aber|pero|mais|mas|ma) )$/iu;

/**
 * Returns the people whom a sentence calls by relation words: the user's, and with no subject those
 * of other people.
 */
export function foreignRelatives(
  sentence: string,
  language: Language,
  known: Known,
): readonly Person[] {
  const called = [...sentence.matchAll(WORD)].flatMap(({ 0: word, index: start }) => {
    const left = sentence.slice(0, start).replaceAll("’", "'");
    const relation = foreignRelation(word, language, AFTER_MY[language].test(left));
    return relation === null ? [] : [{ word, relation, left, start, end: start + word.length }];
  });
  return called.flatMap(({ word, relation, left, start, end }, i): Person[] => {
    // "Meine älteste Schwester" is one person.
    if (called[i + 1]?.start === end + 1) return [];
    const right = sentence.slice(end);
    const isUsers = MINE[language].test(left)
      ? !OF_MINE[language].test(left) && !NOT_MINE.test(right)
      : CALLED_BARE.test(word) && CLAUSE_START.test(left) && !NOT_CALLED.test(right);
    const person = { start, end, isPet: false, isBeside: NEXT_TO_ANOTHER.test(left) };
    return isUsers
      ? [{ ...person, subject: subjectCalled(relation, known), relation }]
      : [{ ...person, subject: null }];
  });
}
