/** Applies corrections inside one request before any rule reads it. */

import { splitSentences, TAKES_BACK } from "./sentences.ts";

/** A text that may be corrected by a later part of itself or by a later text of the same speaker. */
export interface Correctable {
  readonly speaker: string;
  text: string;
}

const MARK =
  "(?:or rather|oh(?=,? (?:wait|no|sorry|I mean))|sorry|oops|whoops|no,? wait|wait,? no|wait|no(?=[,.!;…–—-])|i meant(?: to (?:say|write|type))?|i mean|correction|typo|make that|scratch that|strike that|my mistake|my bad|pardon|apologies|rather|actually|i misspoke|hang on|hold on|er|erm|um)";
const SO =
  "(?:(?:it's|it is|that's|that is|that should be|it should be|i'm|i am|i meant(?: to (?:say|write|type))?|i mean|make (?:that|it)|should (?:be|say|read)|in|at|his name is|her name is|its name is|their name is|the name is|called|i live in|he's|she's|is|not that,?|she turns|he turns|say)\\s+){0,4}";
const VALUE = "([^\\s,.;!?][^,.;!?\\n]{0,60}?(?:\\.(?=\\S)[^,.;!?\\n]{0,60}?){0,4})";
/** "…, sorry, I meant Porto": the mark, then a short value. */
const AFTERTHOUGHT = new RegExp(
  `(?:[,.;!…]|\\s[–—-]+|\\s\\()\\s*(?:(?:${MARK})[,:.!;…—–-]*\\s+){1,4}${SO}${VALUE}(?:,? not [^,.;!?]{1,60})?\\)?(?=[,.;!?]\\s|[,.;!?]?$|\\n|,)`,
  "i",
);
/** "… in Graz - well, Gratwein, actually": the better value between two hedges. */
const WELL = new RegExp(
  `(?:(?:[,.]|\\s[–—-]+)\\s*(?:or |well,? ){1,3}|\\s[–—-]+\\s*)${SO}([^\\s,.;!?–—-][^,.;!?\\n]{0,40}?),? (?:actually|really|technically|sorry|I mean|rather|my mistake|to be (?:precise|exact|accurate))(?=[,.;!?]|$)`,
  "i",
);
const OPENING = new RegExp(
  `^\\s*(?:(?:well|lol|ok|ha(?:ha)*|ah|ugh|argh|gah|hmm),? )?(?:(?:${MARK})[,:.!;…—–-]*\\s+){1,4}${SO}${VALUE}(?:,? I mean(?:t)?)?(?:,? not ([^,.;!?]{1,60}))?(?=[.!?,]|$)[.!]?(?:,[^.!?]*[.!?]?)?`,
  "i",
);
const NOT =
  /(?:,| –| -| and| but) not (?:in |at |on |for |by |from |a |an |the )?((?:[\p{L}\p{N}@'+-]|\.(?=\S))+(?: (?:[\p{L}\p{N}@'+-]|\.(?=\S))+){0,3}?)(?=[.!,;]?(?:\s|$)(?!\p{Ll}))/u;

const isNumber = (text: string) =>
  /^(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty\S*|thirty\S*|forty\S*|fifty\S*|sixty\S*)$/i
    .test(text);
/** "The 5th": a day of the month. */
const ORDINAL = /^\d{1,2}(?:st|nd|rd|th)$/;
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** "Eric with a c": how a name is spelled. */
const HOW_SPELLED = /(?<=^\p{Lu}[\p{L}'-]*),? with(?:out)? (?:an?|one|two|the|no) \p{L}+$/u;

/** Replaces the last part of `text` that has the shape of `value`; null when nothing there fits. */
function replaceLast(text: string, value: string): string | null {
  const bare = value.replace(/^(?:the|an?|in|at) /i, "").replace(HOW_SPELLED, "").trim();
  const shape = /@/.test(bare)
    ? /\S+@\S+\.\p{L}+/gu
    : /^[+(]?\d[\d ().-]{5,}$/.test(bare)
    ? /[+(]?\d[\d ().-]{5,}\d/g
    : ORDINAL.test(bare)
    ? /\b\d{1,2}(?:st|nd|rd|th)\b/g
    : isNumber(bare.split(" ")[0]!)
    ? /\b(?:\d[\d.,:]*\d|\d|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)\b/gi
    : /^\p{Lu}/u.test(bare)
    ? /(?<![.!?]\s)(?<!^)\b(?!I\b|I'm\b|I've\b)\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)*/gu
    : /\b[\p{Ll}-]+(?=[.!,;]?$)/gu;
  const found = [...text.matchAll(shape)].at(-1);
  if (!found) return null;
  const one =
    isNumber(bare.split(" ")[0]!) && !/@/.test(bare) && !/^[+(]?\d[\d ().-]{5,}$/.test(bare)
      ? bare.split(" ")[0]!
      : bare;
  // "At 3, no, 4 pm tomorrow": what belongs to the time comes along.
  const more = one === bare ? null : /^\S+( (?:[ap]\.?m\b|o'clock).*)$/i.exec(bare);
  return text.slice(0, found.index) + one + (more?.[1] ?? "") +
    text.slice(found.index + found[0].length);
}

/** Checks whether a text can be a value: short, without a verb, and not a reaction. */
function isValue(text: string): boolean {
  return text.split(/\s+/).length <= 4 &&
    !/^(?:that|this|it|to|for|about|i|you|we|he|she|they|what|not|never|still|now|again|already|currently|also|just|really|so|too|can|could|will|would|the\s*$|worries|problem|idea|way|thanks|thank|no|yes|ok|late|wrong|my|because|but|and|if|a (?:bit|lot))\b/i
      .test(text) &&
    !/\b(?:is|am|are|was|were|have|has|had|love|like|hate|live|work|know|think|want|need|means?)\b/i
      .test(text);
}

const MEANT =
  /\b(?:mean|meant|correction|typo|make that|scratch|strike|mistake|misspoke|oops|whoops|wait|rather)\b/i;

/** "Sorry, busy day": a sentence of its own after a weak mark, unless it has the shape of a name or a number. */
const isNewSentence = (all: string, value: string): boolean =>
  /^[.!…]/.test(all) && !MEANT.test(all) && /^\p{Ll}/u.test(value) &&
  !isNumber(value.split(" ")[0]!) && !value.includes("@");

const WEAK_MARK = /(?:sorry|actually|er|erm|um)\s+(\S.*)$/i;
const CORRECTS = /^(?:an?|the|in|at|it's|it is|that's|that is|he's|she's|is|called|i'm|i am) /i;

/** "I'm vegan, sorry bad typing": a weak mark alone brings a name, a number or a single word. */
function isComment(all: string): boolean {
  if (MEANT.test(all)) return false;
  const words = WEAK_MARK.exec(all.replace(/[,.;!?)\s]+$/, ""))?.[1] ?? "";
  return /^\p{Ll}+ \p{Ll}/u.test(words) && !CORRECTS.test(words) &&
    !isNumber(words.split(" ")[0]!);
}

function within(text: string): string {
  let out = text;
  for (let i = 0; i < 3; i++) {
    const after = AFTERTHOUGHT.exec(out), m = after ?? WELL.exec(out);
    if (!m || !isValue(m[1]!) || after && (isNewSentence(m[0], m[1]!) || isComment(m[0]))) break;
    const before = out.slice(0, m.index);
    const start =
      Math.max(before.lastIndexOf("\n"), before.lastIndexOf(". "), before.lastIndexOf("! "), -1) +
      1;
    const replaced = replaceLast(before.slice(start), m[1]!);
    if (replaced === null) break;
    out = before.slice(0, start) + replaced + out.slice(m.index + m[0].length);
  }
  return out;
}

const SAID_BUT =
  /\bI (?:said|wrote|told you|typed|mentioned)(?: earlier| before)?(?: that)? ((?:I|my) [^.;!?]{3,60}?),? but (?:(?:I (?:actually )?meant|it's|it is|it should be|actually it's|that's wrong,? it's|in fact it's|that was a typo,? it's)\s+)(?:actually |really )?([^,.;!?]+)/i;
const NOT_BUT =
  /\bnot (in|at|on|by|to|from|as|for|called|named|an?) ([\p{L}\p{N}' -]{2,25}?),? but (?:rather |instead )?(in|at|on|by|to|from|as|for|called|named|an?) /u;
/** "My name is not Sara but Sarah". */
const IS_NOT_BUT =
  /\b(?:(is) not|(is)n't|(?<=\w)('s) not) (?:\p{Lu}[\p{L}'-]+|[^\s@]+@[^\s@]+?|\d[\d ().-]*),? but (?=\p{Lu}|\S+@|[+\d])/u;
/** "Sorry, not walnuts, hazelnuts", after "I'm allergic to walnuts". */
const NOT_THIS = new RegExp(
  `^\\s*(?:(?:${MARK})[,:.!;…–—-]*\\s+){0,2}(?:(?:it's|that's|it is|i'm allergic to|i meant?) )?not ([^,.;!?\\n]{2,30}),? (?:but |it's |rather )?(?:it's )?([^,.;!?\\n]{2,30})[.!]?\\s*$`,
  "i",
);

/** "I said Graz but I meant Linz", after "I'm from Graz". */
const SAID_MEANT =
  /(?<=^|[.!?\n]|[.!?\n] )(?:(?:oh|sorry|wait|oops|no|actually),? )*I (?:said|wrote|typed) ([^.,;!?\n]{2,40}?),? but (?:I )?(?:actually |really )?(?:meant|it's|it is|should have (?:said|written))(?: to (?:say|write))? ([^.,;!?\n]{2,40})[.!]?/iu;
/** "It's spelled Ana", after "my daughter is called Anna". */
const SPELLED =
  /^\s*(?:(?:oh|sorry|wait|oops|no|actually),? )*(?:it's|that's|it is|that is) (?:spelled|spelt|written) (?:as )?(\p{Lu}[\p{L}'-]+)(?:,? (?:with|without|not|one|two)\b[^.!\n]*)?[.!]?/iu;

/** "*Debian": a corrected word, as written in chats. */
const STARRED = /^\s*\*(?=[\p{L}\p{N}])([^*\n.!?]{2,30}?)(?:,? sorry)?[.!]?\s*$/iu;

/** "It isn't X, it's Y" says Y. */
const ISNT =
  /(?:(?<=\bI)(?:'m| am) not|\b(is) not|\b(is)n't|(?<=\w)('s) not) (?:an? |the )?[\p{L}\p{N}@+][^,;!?\n]{0,40}?, (?:it's|it is|that's|he's|she's) (?:actually |really )?(?=\S)/u;

/** Starts of a sentence that replaces the one before ("Correction: I work at Continental"). */
const INSTEAD =
  /^(?:(?:oh|ah|no|ok|wait|sorry|oops|whoops|actually|correction|typo|wrong|my mistake|my bad|scratch that|strike that|hang on|hold on|I misspoke|I was wrong|(?:that(?:'s| is| was)|it's) (?:wrong|not right|a typo|a mistake))[,.:;!…–—-]*\s+)+(?=(?:I|I'm|I've|my|we|we're|we've|our)\b)/i;
/** Words that add instead of replacing. */
const ADDS = /\b(?:also|too|as well|more|another|both|even)\b/i;
/** Max words of the value in which two sentences differ. */
const MAX_VALUE_WORDS = 5;

/** Checks whether two sentences differ only in their value ("I speak Dutch", "I speak German"). */
function differInValue(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/[.!]+$/, "").split(/\s+/));
  let same = 0;
  while (same < a!.length && a![same]!.toLowerCase() === b![same]?.toLowerCase()) same++;
  const left = [a!.length - same, b!.length - same];
  return same >= 2 && left.every((words) => words > 0 && words <= MAX_VALUE_WORDS);
}

const without = (text: string, sentence: string): string => {
  const at = text.lastIndexOf(sentence);
  return at < 0 ? text : text.slice(0, at) + text.slice(at + sentence.length);
};

/**
 * "I'm vegan. Not really.", "I smoke. I used to.": a retraction. To another speaker it would be a
 * reply.
 */
const DENIES_OWN = /^(?:well,? )?(?:not(?: really)?|I used to)[.!]*$/i;
/** "I don't like coffee. Not really." repeats the denial. */
const DENIAL = /\b(?:not|never|no|nothing|hardly)\b|n't\b/i;

/** Removes what the sentences of `current` retract or replace, in `before` or among themselves. */
function replaced(before: Correctable | undefined, current: Correctable): void {
  let last = before ? splitSentences(before.text).at(-1) : undefined, owner = before;
  for (const sentence of splitSentences(current.text)) {
    const mark = INSTEAD.exec(sentence);
    const anew = mark && !ADDS.test(sentence) && last !== undefined &&
      differInValue(last, sentence.slice(mark[0].length));
    const denied = owner === current && DENIES_OWN.test(sentence) &&
      !DENIAL.test(last ?? "");
    if (owner && last !== undefined && (anew || denied || TAKES_BACK.test(sentence))) {
      owner.text = without(owner.text, last);
    }
    last = sentence;
    owner = current;
  }
}

/** Applies the corrections that a text makes to itself. */
function selfMended(text: string): string {
  return within(
    text.replace(
      SAID_BUT,
      (all, clause: string, value: string) =>
        replaceLast(clause, value)?.replace(/^I was\b/, "I am").replace(
          /^(my [^.;!?]*?) was\b/,
          "$1 is",
        ) ??
          all,
    ),
  )
    .replace(NOT_BUT, (_all, _wrong, _value, preposition: string) => `${preposition} `)
    .replace(IS_NOT_BUT, (_all, ...is: (string | undefined)[]) => `${is[2] ?? "is"} `)
    .replace(
      ISNT,
      (_all, ...is: (string | undefined)[]) => `${is[2] ?? (is[0] ?? is[1] ? "is" : " am")} `,
    );
}

/**
 * Applies a correction in `current` to what the same speaker said `earlier`, latest first, and
 * removes it from `current`.
 *
 * @returns whether the correction was of this kind
 */
type Mend = (current: Correctable, earlier: readonly Correctable[]) => boolean;

const saidAndMeant: Mend = (current, earlier) => {
  const meant = SAID_MEANT.exec(current.text);
  const wronged = meant && earlier.find((one) => one.text.includes(meant[1]!));
  if (!meant || !wronged) return false;
  wronged.text = wronged.text.replaceAll(meant[1]!, meant[2]!);
  current.text = current.text.replace(meant[0], "");
  return true;
};

const notThis: Mend = (current, [before]) => {
  const said = splitSentences(current.text), last = said.at(-1) ?? "";
  const m = NOT_THIS.exec(last);
  const target = said.length > 1 ? current : before;
  if (!m || !target || !isValue(m[2]!)) return false;
  const head = target === current ? without(current.text, last) : target.text;
  if (!head.includes(m[1]!)) return false;
  current.text = without(current.text, last);
  target.text = head.replaceAll(m[1]!, m[2]!);
  return true;
};

const spelledAnew: Mend = (current, [before]) => {
  const spelled = STARRED.exec(current.text) ?? SPELLED.exec(current.text);
  if (!spelled || !before) return false;
  if (!/^\p{Lu}/u.test(spelled[1]!) && !/^\s*\*/.test(spelled[0])) return false;
  const mended = replaceLast(before.text, spelled[1]!);
  if (mended === null) return false;
  before.text = mended;
  current.text = current.text.slice(spelled[0].length);
  return true;
};

const openedBy: Mend = (current, earlier) => {
  const opening = OPENING.exec(current.text);
  if (!opening || !isValue(opening[1]!)) return false;
  const [all, right, wrong] = [opening[0], opening[1]!, opening[2]?.trim()];
  const inPlace = ({ text }: Correctable) =>
    replaceLast(text.trimEnd().replace(/[.!]+$/, ""), right);
  const target = earlier.find((one) => wrong ? one.text.includes(wrong) : inPlace(one) !== null);
  if (!target) return false;
  target.text = wrong ? target.text.replaceAll(wrong, right) : `${inPlace(target)}.`;
  current.text = current.text.slice(all.length);
  return true;
};

const denied: Mend = (current, earlier) => {
  const not = NOT.exec(current.text);
  if (!not) return false;
  const before = current.text.slice(0, not.index);
  if (
    !/\b(?:is|'s|am|'m|in|at|with|called|live|work|use|want|prefer|it|said|meant|mean)\b/i
      .test(before)
  ) return false;
  const wrong = new RegExp(`(?<![\\p{L}\\p{N}])${escape(not[1]!)}(?![\\p{L}\\p{N}])`, "gu");
  const right = /(?<![\p{L}\p{N}@'.+-])([\p{L}\p{N}@'.+-]+(?: \p{Lu}[\p{L}'-]+){0,4})\s*$/u
    .exec(before.slice(-200))?.[1];
  const target = earlier.find((one) => one.text.search(wrong) >= 0);
  if (!target) return false;
  if (right) target.text = target.text.replace(wrong, right);
  // "No, I said peanuts, not walnuts" adds nothing else to the correction.
  const said = /(?:^|[.!\n])\s{0,3}(?:no,? )?I (?:said|meant|mean) [^.!\n]{0,200}$/i.exec(before);
  current.text = current.text.slice(0, said ? said.index : not.index) +
    current.text.slice(not.index + not[0].length);
  return true;
};

/** Max messages of the same speaker that a correction can reach back over. */
const MAX_EARLIER_MESSAGES = 50;

/** Returns the texts of a request with all corrections applied. */
export function applyCorrections(texts: readonly Correctable[]): readonly Correctable[] {
  const out = texts.map((one) => ({ ...one }));
  const said = new Map<string, Correctable[]>();
  for (const current of out) {
    current.text = selfMended(current.text);
    const earlier = said.get(current.speaker) ?? [];
    said.set(current.speaker, [current, ...earlier.slice(0, MAX_EARLIER_MESSAGES - 1)]);
    if ([saidAndMeant, notThis, spelledAnew, openedBy].some((mend) => mend(current, earlier))) {
      continue;
    }
    replaced(earlier[0], current);
    denied(current, earlier);
  }
  return out;
}
