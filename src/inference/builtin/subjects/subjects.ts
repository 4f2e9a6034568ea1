/**
 * Resolves the subject of a clause, and rewrites the clause in the first person, so that every rule
 * is written once.
 */
import { ANIMAL_WORDS, BREED_WORDS, RELATION_WORDS, relationAttribute } from "../lexicon/people.ts";
import { endedByDeath, endedBySeparation, isFormer } from "../loss_events.ts";
import { resolveName } from "./named_entities.ts";
import { inFirstPerson } from "./predicates.ts";
import { isOtherGender } from "./pronouns.ts";
import { names } from "../rules/family.ts";
import { isPersonName } from "../rules/naming.ts";
import { kindOf, species } from "../rules/pets.ts";
import { claim, type Draft, type Mention } from "../rules/rule.ts";
import { digits, NAME, NAMES } from "../values.ts";
import { compile } from "../lexicon/lines.ts";

/** The speaker of a message, as named in claims and texts. */
export interface Speaker {
  readonly subject: string;
  readonly display: string;
  /** The other speaker of a conversation of two, who is meant by "you". */
  readonly other: string | null;
}

/** A clause with its subject resolved. */
export interface Resolved {
  /** Subjects that the clause's claims are about; none when a pronoun stayed unclear. */
  readonly subjects: readonly string[];
  /** The clause in the first person. Null if nothing is left of it. */
  readonly key: string | null;
  /** Claims that the subject itself makes ("my sister Klara"). */
  readonly drafts: readonly Draft[];
  /** The clause with its pronoun replaced by the name it refers to. */
  readonly text: string;
  readonly mention: Mention | null;
  /** The subject of an earlier mention that has a name from now on ("her name is Tofu"). */
  readonly unnamed?: string;
  readonly speaker: boolean;
}

export const BETWEEN =
  "((?:(?!(?:an?|is|are|was|has|and|who|that|in|at|to|from|of|with|for|on|his|her|their|your)\\b)[\\p{Ll}\\d][\\p{L}\\d-]*,? )*?)";
const WHO = compile(
  `^[Mm]y (?!(?:password|package|window|task|file|boot|display|download) manager)${BETWEEN}(${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})(s|es)?(?!\\p{L})(?!-| (?:tongue|language|food|name tag|house|school|park|club|training|allergy|hair|lover|person|in-law|in crime|brother|sister|cousin)\\b)(?!'s? (?!name))(?: of (?:\\w+|many|several) (?:years|months)(?= (?:is|was|has|\\p{Ll}+s)\\b))?(?:,? (?!I\\b)(${NAMES}))?(.*)$`,
  "u",
);
const CALLED = compile(
  `^(?: (?:at|from|in|since|of) \\p{L}[\\p{L} ]{1,25}?)?(?:'s?)? ?(?:names? )?(?:(?:is|are|was|were) (?:(?:called|named|an? (?:[\\p{Ll}-]+ ){1,5}(?:called|named)|known as) )?|goes by (?:the name (?:of )?)?|go by (?:the names )?|answers to )(${NAMES})(?:,.*| and (?:he|she|it|they|mine) .*)?$`,
  "u",
);
const YOUNG = /(\w+)[- ](?:year|yr)[- ]old/i;

/** "My dad Henk and my mum Truus live in Zwolle": a clause about two people. */
const TWO = compile(
  `^ and ([Mm]y ${BETWEEN}(?:${RELATION_WORDS})(?: ${NAME})?) (\\p{Ll}.*)$`,
  "u",
);

/** "(My brother), my sister and I". */
const WITH_OTHERS = /^\s*(?:, my [\p{L}-]+(?: \p{Lu}\p{L}+)?)*,? ?and I\b/u;

/** Resolves "my sister Klara lives in Bern" to the relative or pet. */
function resolveRelation(body: string, speaker: Speaker): Resolved | null {
  const m = WHO.exec(body);
  if (!m) return null;
  const [, before = "", word = "", plural = "", named, tail = ""] = m;
  const relation = relationAttribute(word) ?? relationAttribute(word + plural);
  const pet = relation === null;
  const naming = named ? null : CALLED.exec(tail);
  const first = naming ? names(naming[1]!)[0] : undefined;
  const called = first && (isPersonName(first) || /called|named|names?\b|goes by/.test(tail))
    ? naming
    : null;
  const list = named ? names(named) : called ? names(called[1]!) : [];
  const both = TWO.exec(tail);
  if (both) {
    const other = resolveRelation(`${both[1]} is here`, speaker);
    const base = inFirstPerson(both[3]!);
    return {
      subjects: [
        ...(list.length
          ? list.map((name) => name.toLowerCase())
          : [`${speaker.subject}'s ${word.toLowerCase()}`]),
        ...(other?.subjects ?? []),
      ],
      key: base,
      drafts: [...relationClaims(list, relation, pet, word, speaker), ...(other?.drafts ?? [])],
      text: body,
      mention: null,
      speaker: false,
    };
  }
  if (WITH_OTHERS.test(tail) || /^\s*and my\b/.test(tail)) {
    const key = tail.replace(WITH_OTHERS, "I")
      .replace(/^\s*and my [\p{L}-]+(?: \p{Lu}\p{L}+)?\b/u, "I")
      .replace(/^I were\b/, "I was").replace(/^I are\b/, "I am");
    return {
      subjects: [speaker.subject],
      key,
      drafts: endedBySeparation(relationClaims(list, relation, pet, word, speaker), relation, key),
      text: body,
      mention: null,
      speaker: true,
    };
  }
  // "My late husband Robert": a former relation.
  const late = /\blate\b/i.test(before);
  const held = !late && isFormer(before, relation)
    ? []
    : relationClaims(list, relation, pet, word, speaker);
  const drafts = endedByDeath(held, relation, late ? " died" : tail, speaker.subject);
  const plain = word.toLowerCase().replace(/[- ](?!in\b|law\b)/g, " ");
  const owner = `${speaker.subject}'s ${plain}`;
  const subjects = list.length ? list.map((name) => name.toLowerCase()) : [owner];
  const age = YOUNG.exec(before);
  const years = age ? digits(age[1]!) : null;
  if (years && subjects[0]) drafts.push(...claim("age", years, { subject: subjects[0] }));
  const display = list[0] ?? `my ${plain}`;
  const mention: Mention = {
    subject: subjects[0]!,
    display,
    kind: pet ? "pet" : "person",
    ...(list.length ? {} : { fills: { owner: speaker.subject, attribute: relation ?? "pet" } }),
    ...(pet ? { species: word } : { relation: plain }),
  };
  if (pet) drafts.push(...breedOf(tail.trim(), subjects[0]!));
  const rest = called ? "" : tail.replace(/^,\s*/, " ");
  if (!drafts.length && !rest.trim()) return null;
  return {
    subjects,
    key: rest.trim() ? inFirstPerson(rest) : null,
    drafts,
    text: body,
    mention,
    speaker: false,
  };
}

const THEIRS = compile(
  `^(?:[Mm]y ${BETWEEN}(${RELATION_WORDS})|(${NAME}))'s (favou?rite .+|(?:birthday|nickname|pronouns|diet|job|hobby|hobbies|e-?mail(?: address)?|(?:phone )?number|address|time ?zone|website|handle) (?:is|are) .+)$`,
  "u",
);

/** Resolves "my kid's favourite animal is the otter" to the kid. */
function resolveOwner(body: string, speaker: Speaker): Resolved | null {
  const m = THEIRS.exec(body);
  if (!m) return null;
  const [, , word, name, rest = ""] = m;
  const subject = name ? name.toLowerCase() : `${speaker.subject}'s ${word!.toLowerCase()}`;
  return {
    subjects: [subject],
    key: `my ${rest}`,
    drafts: [],
    text: body,
    mention: {
      subject,
      display: name ?? `my ${word}`,
      kind: "person",
      ...(word === undefined ? {} : { relation: word.toLowerCase() }),
    },
    speaker: false,
  };
}

/** Returns the claims that name relatives or pets of the speaker. */
export function relationClaims(
  list: readonly string[],
  relation: string | null,
  pet: boolean,
  word: string,
  speaker: Speaker,
): Draft[] {
  return list.flatMap((name) =>
    pet
      ? [...claim("pet", name, { subject: speaker.subject }), ...kindOf(word, name)]
      : claim(relation ?? "relative", name, { subject: speaker.subject })
  );
}

/**
 * Words after which a breed isn't the subject's own ("a friend of poodles", "a better swimmer than
 * a pug").
 */
const NO_QUALITY = "(?:an?|the|my|not|and|or|of|than|like|with|for|to|in|at|by|from)";
const BREED = compile(
  `^(?:is|are) (?:an? (?:(?!${NO_QUALITY} )(?:\\p{Ll}+|\\w+[- ]year[- ]old) ){0,3}?|(?:(?:both|two|three|very|pure|old|young|little|big|small|rescue|mixed|purebred|black|white|brown|grey|ginger) )*)(${BREED_WORDS})(?:s|es)?\\b`,
  "iu",
);

/** Returns the breed that a predicate states ("is a border collie"). */
function breedOf(predicate: string, subject: string): Draft[] {
  const m = BREED.exec(predicate);
  return m ? claim("breed", m[1]!.toLowerCase(), { subject }) : [];
}

const PRONOUN = /^(he|she|they|it|who|this one) (.*)$/i;
const THEIR = compile(
  `^(?:his|her|its|their) (name|\\p{Ll}+)(?:'s| is| are| was) (?:called |named |actually |spelled )?(.+)$`,
  "iu",
);

/** Kinds of mentions that a pronoun can't mean: "it" isn't a person, and "she" isn't a thing. */
const NEVER_MEANT: Readonly<Record<string, Mention["kind"]>> = {
  he: "thing",
  she: "thing",
  they: "thing",
  it: "person",
};

/** Resolves "she lives in Bern", if only one mention can be meant. */
function resolvePronoun(
  body: string,
  mentions: readonly Mention[],
  speaker: Speaker,
): Resolved | null {
  const their = THEIR.exec(body);
  const m = PRONOUN.exec(body);
  if (!m && !their) return null;
  const relative = /^who$/i.test(m?.[1] ?? "");
  const word = /^\p{L}+/u.exec(body)?.[0] ?? "";
  const never = NEVER_MEANT[word.toLowerCase()];
  const candidates = new Map(
    mentions.filter((one) => one.kind !== never && !isOtherGender(word, one))
      .map((one) => [one.subject, one] as const),
  );
  const meant = relative
    ? mentions.at(-1)
    : candidates.size === 1
    ? [...candidates.values()][0]
    : undefined;
  if (!meant || meant.isOfAnother) {
    return { subjects: [], key: null, drafts: [], text: body, mention: null, speaker: false };
  }
  if (their) return resolveNaming(body, their, meant, speaker);
  const rest = m![2]!;
  // "A terrier who answers to Mabel" names a mention without a name.
  const called = meant.fills ? CALLED.exec(` ${rest}`) : null;
  if (called && /^(?:is (?:called|named)|goes by|answers to)\b/.test(rest)) {
    const naming = THEIR.exec(`their name is ${called[1]}`);
    if (naming) return resolveNaming(`their name is ${called[1]}`, naming, meant, speaker);
  }
  const key = inFirstPerson(rest);
  const drafts = meant.kind === "pet" ? breedOf(rest, meant.subject) : [];
  return {
    subjects: [meant.subject],
    key,
    drafts,
    text: `${meant.display} ${rest}`,
    mention: meant,
    speaker: false,
  };
}

/** Resolves "her name is Tofu", which names the mention that the pronoun means. */
function resolveNaming(
  body: string,
  m: RegExpExecArray,
  meant: Mention,
  speaker: Speaker,
): Resolved {
  const name = new RegExp(`^${NAME}`, "u").exec(m[2]!)?.[0];
  if (!/^name$/i.test(m[1]!) || !name) {
    return {
      subjects: [meant.subject],
      key: `my ${body.replace(/^\S+ /, "")}`,
      drafts: [],
      text: `${meant.display}'s ${body.replace(/^\S+ /, "")}`,
      mention: meant,
      speaker: false,
    };
  }
  const subject = name.toLowerCase();
  const drafts = meant.kind === "pet"
    ? [
      ...claim("pet", name, { subject: meant.fills?.owner ?? speaker.subject }),
      ...(meant.species ? kindOf(meant.species, name) : []),
    ]
    : meant.fills
    ? claim(meant.fills.attribute, name, { subject: meant.fills.owner })
    : [];
  const kind = meant.species ? species(meant.species) : meant.display.replace(/^my /, "");
  return {
    subjects: [subject],
    key: null,
    drafts,
    text: `my ${kind} is called ${name}`,
    mention: { ...meant, subject, display: name },
    unnamed: meant.subject,
    speaker: false,
  };
}

/** "I called her Saffron" names the last mention. */
const NAMED_THEM = compile(
  `^I (?:have )?(?:named|called|christened) (?:him|her|it|them) (${NAME})$`,
  "u",
);
/** "It's Hamza again" names the speaker. */
const WRITER = compile(
  `^(?:[Ii]t|[Tt]his) is ${NAME} (?:again|here|speaking|calling|writing|from the|from \\p{Lu}\\p{L}+$)(?!\\p{L})`,
  "u",
);

const THING =
  /^the ((?:[\p{L}-]+ ){0,3}(?:service|api|app|application|backend|frontend|server|project|system|platform|pipeline|website|dashboard|library|module|worker|gateway|cluster|database|site)) ((?:is|runs|uses|was|has|lives|stores|needs|depends|relies|talks|now) ?.*)$/iu;

/** "Tom and I work at Bosch": about the speaker as well, except for acts between the two. */
const WITH_I = compile(
  `^${NAMES},? and I (?!(?:have |are |had |were |got |getting |been |recently |just |finally |happily )*(?:married|engaged|separated|split|broke|divorced|parted|dat(?:ed|ing)|together)\\b)(\\p{Ll}.*)$`,
  "u",
);

/** Resolves the subject of a clause. The speaker's own clauses are returned unchanged. */
export function resolve(body: string, mentions: readonly Mention[], speaker: Speaker): Resolved {
  const own: Resolved = {
    subjects: [speaker.subject],
    key: body,
    drafts: [],
    text: body,
    mention: null,
    speaker: true,
  };
  const given = NAMED_THEM.exec(body), last = mentions.at(-1);
  const naming = given && last?.fills ? THEIR.exec(`their name is ${given[1]}`) : null;
  if (naming && last) return resolveNaming(body, naming, last, speaker);
  if (/^I\b/.test(body) || WRITER.test(body)) return own;
  const together = WITH_I.exec(body);
  if (together) {
    return {
      ...own,
      key: `I ${together[1]}`.replace(/^I were\b/, "I was").replace(/^I are\b/, "I am"),
    };
  }
  const thing = THING.exec(body);
  if (thing) {
    const subject = thing[1]!.toLowerCase();
    return {
      subjects: [subject],
      key: inFirstPerson(thing[2]!),
      drafts: [],
      text: body,
      mention: { subject, display: `the ${thing[1]}`, kind: "thing" },
      speaker: false,
    };
  }
  return resolveOwner(body, speaker) ?? resolveRelation(body, speaker) ??
    resolvePronoun(body, mentions, speaker) ?? resolveName(body) ??
    own;
}
