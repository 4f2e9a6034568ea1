/** English verbs: irregular forms, and the conjugation that turns the first person into the third and back. */

/** Irregular verbs as base, past, participle; regular ones follow the rules below. */
const IRREGULAR =
  "be was been|become became become|begin began begun|bend bent bent|bet bet bet|bind bound bound|bite bit bitten|" +
  "bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought|build built built|burn burnt burnt|" +
  "buy bought bought|catch caught caught|choose chose chosen|come came come|cost cost cost|creep crept crept|cut cut cut|" +
  "deal dealt dealt|dig dug dug|do did done|draw drew drawn|dream dreamt dreamt|drink drank drunk|drive drove driven|eat ate eaten|" +
  "fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown|forbid forbade forbidden|" +
  "forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|" +
  "hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|" +
  "kneel knelt knelt|know knew known|lay laid laid|lead led led|lean leant leant|learn learnt learnt|leave left left|lend lent lent|" +
  "let let let|lie lay lain|light lit lit|lose lost lost|make made made|mean meant meant|meet met met|pay paid paid|put put put|" +
  "quit quit quit|read read read|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|" +
  "seek sought sought|sell sold sold|send sent sent|set set set|sew sewed sewn|shake shook shaken|shine shone shone|shoot shot shot|" +
  "show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept|slide slid slid|" +
  "speak spoke spoken|spend spent spent|spill spilt spilt|spin spun spun|split split split|spread spread spread|stand stood stood|" +
  "steal stole stolen|stick stuck stuck|strike struck struck|swear swore sworn|sweep swept swept|swim swam swum|take took taken|" +
  "teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|understand understood understood|" +
  "undergo underwent undergone|wake woke woken|wear wore worn|weave wove woven|win won won|wind wound wound|write wrote written";
const ROWS = IRREGULAR.split("|").map((row) => row.split(" "));
/** Past forms, without those that equal the base ("put"), which are rarely meant as past. */
const PAST: ReadonlySet<string> = new Set(
  ROWS.flatMap(([base, past]) => past && past !== base ? [past] : []).concat("were"),
);

const MODALS: ReadonlySet<string> = new Set(
  "can could will would shall should may might must ought".split(" "),
);
const ED_BASES =
  /^(?:need|feed|speed|breed|bleed|proceed|succeed|exceed|seed|weed|heed|embed|wed|shed|bed|fed|red|led)$/i;

/** Checks whether a word is a past form ("moved", "went", "rewrote"). */
export function isPastVerb(word: string): boolean {
  const w = word.toLowerCase();
  return PAST.has(w) ||
    /^(?:re|un|out|over)/.test(w) && PAST.has(w.replace(/^(?:re|un|out|over)/, "")) ||
    (/[a-z]{2}ed$/.test(w) && !ED_BASES.test(w) &&
      !/^(?:hundred|naked|wicked|sacred|indeed|united|red|colou?red|based|named|called|haired|aged|retired|interested|excited|tired|bored|scared|used|allergic)$/
        .test(w));
}
/** Checks whether a word is a modal. */
export const isModal = (word: string): boolean => MODALS.has(word.toLowerCase());

/** Base forms that begin a predicate, so that "and VERB …" is a clause of its own. */
export const VERBS: ReadonlySet<string> = new Set((
  "live work love like hate prefer enjoy adore play speak study have own drive use eat go run write read teach learn " +
  "make take keep collect want need hope plan come drink cook bake watch listen ride swim cycle bike climb paint draw sing dance " +
  "train practice practise volunteer travel commute walk build code program develop design manage lead sell buy grow raise " +
  "get give feel think know see visit call help try spend sleep wake start move join adopt wear carry detest loathe dislike " +
  "despise avoid attend belong run jog garden knit sew surf ski fish hunt hike camp do am is are was were has does " +
  "miss meet talk believe understand remember save dream exercise meditate pray cover host coach mentor maintain support " +
  "suffer identify specialize specialise freelance share stay follow order prepare switch celebrate perform compete " +
  "say fly rely apply foster repair restore"
).split(" "));

/** Returns the third person singular of a base form: "live" → "lives". */
export function thirdPerson(base: string): string {
  const w = base.toLowerCase();
  if (w === "am" || w === "are") return "is";
  if (w === "were") return "was";
  if (w === "have") return "has";
  if (w === "do") return "does";
  if (MODALS.has(w) || PAST.has(w) || w === "is" || w === "was" || w === "has" || w === "does") {
    return base;
  }
  if (/[a-z]{2}ed$/.test(w) && !ED_BASES.test(w)) return base;
  if (/(?:s|x|z|ch|sh)$/.test(w) || w === "go" || w === "undergo") return base + "es";
  if (/[^aeiou]y$/.test(w)) return base.slice(0, -1) + "ies";
  return base + "s";
}

/**
 * Returns the base form of a third person singular: "lives" → "live". Null if the word doesn't look
 * like one.
 */
export function firstPerson(word: string): string | null {
  const w = word.toLowerCase();
  if (w === "is" || w === "are") return "am";
  if (w === "has") return "have";
  if (w === "does") return "do";
  if (w === "goes") return "go";
  if (w === "was" || w === "were") return "was";
  if (MODALS.has(w) || isPastVerb(w)) return w;
  if (/(?:ss|us|is)$/.test(w)) return null;
  for (
    const base of [
      /ies$/.test(w) ? w.slice(0, -3) + "y" : "",
      /(?:s|x|z|ch|sh)es$/.test(w) ? w.slice(0, -2) : "",
      /[^s]s$/.test(w) ? w.slice(0, -1) : "",
    ]
  ) {
    if (base && VERBS.has(base)) return base;
  }
  return /[a-z]{2}[^s]s$/.test(w)
    ? (/(?:[sxz]|ch|sh)es$/.test(w)
      ? w.slice(0, -2)
      : /ies$/.test(w)
      ? w.slice(0, -3) + "y"
      : w.slice(0, -1))
    : null;
}

const DOUBLING =
  /^(?:run|swim|get|quit|sit|cut|knit|jog|plan|shop|stop|drum|blog|chat|set|hit|put|win|begin|let|spin|bet|rap|hop|trip|wrap|skip|dig|sip|row)$/;

/** Returns the gerund of a base form: "bake" → "baking". */
export function gerund(base: string): string {
  const w = base.toLowerCase();
  if (w === "be" || w === "see") return w + "ing";
  if (w.endsWith("ie")) return w.slice(0, -2) + "ying";
  if (/[^eoy]e$/.test(w)) return w.slice(0, -1) + "ing";
  if (DOUBLING.test(w) && !w.endsWith("w")) return w + w.slice(-1) + "ing";
  return w + "ing";
}

/** Participles of the known verbs, with their base and their past. */
const PARTICIPLES: ReadonlyMap<string, readonly [base: string, past: string]> = new Map([
  ...[...VERBS].map((base) => [regularPast(base), [base, regularPast(base)]] as const),
  ...ROWS.flatMap(([base = "", past = "", participle = ""]) =>
    [participle, past].map((form) => [form, [base, past]] as const)
  ),
]);

/** Returns the regular past of a base form: "play" → "played". */
function regularPast(base: string): string {
  if (base.endsWith("e")) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  return DOUBLING.test(base) && !base.endsWith("w") ? `${base}${base.slice(-1)}ed` : `${base}ed`;
}

/** Returns the base and past of a known verb's participle: "played" → "play" and "played". */
export const ofParticiple = (word: string): readonly [base: string, past: string] | null =>
  PARTICIPLES.get(word.toLowerCase()) ?? null;

/** Returns the past of a base form: "move" → "moved", "get" → "got". */
export const ofBase = (base: string): string =>
  ROWS.find(([one]) => one === base)?.[1] ?? regularPast(base);

const FROM_GERUND: ReadonlyMap<string, string> = new Map(
  [...VERBS, ...ROWS.map(([base]) => base ?? "")].filter(Boolean).map((base) =>
    [gerund(base), base] as const
  ),
);

/** Returns the base form of a gerund: "baking" → "bake". Unknown verbs follow a rule. */
export function fromGerund(word: string): string {
  const w = word.toLowerCase();
  const known = FROM_GERUND.get(w);
  if (known) return known;
  const stem = w.replace(/ing$/, "");
  if (/([bdgmnprt])\1$/.test(stem)) return stem.slice(0, -1);
  return /(?:[aiou][tszvkcdgr]|[rl][vgsc]|[aeiou]n[cg]|st[or]*|[bdfgkpt]l|at|iz|is|uc|ov|av|iv|ak|ok|ik)$/
      .test(stem) && !/(?:oo|ee|ea|ou|ai)[a-z]$|(?:it|et|en|er|el|or)$/.test(stem)
    ? stem + "e"
    : stem;
}
