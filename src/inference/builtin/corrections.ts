/** Corrections inside one request: what was meant takes the place of what was said before any rule looks. */

/** A text that may be corrected by a later part of itself or by a later text of the same speaker. */
export interface Correctable {
  readonly speaker: string;
  text: string;
}

const MARK =
  "(?:or rather|oh(?=,? (?:wait|no|sorry|I mean))|sorry|oops|whoops|no,? wait|wait,? no|wait|no(?=[,.!;…–—-])|i meant(?: to (?:say|write|type))?|i mean|correction|typo|make that|scratch that|strike that|my mistake|my bad|pardon|apologies|rather|actually|i misspoke|hang on|hold on|er|erm|um)";
const SO =
  "(?:(?:it's|it is|that's|that is|that should be|it should be|i'm|i am|i meant(?: to (?:say|write|type))?|i mean|make (?:that|it)|should (?:be|say|read)|in|at|his name is|her name is|its name is|their name is|the name is|called|i live in|he's|she's|is|not that,?|she turns|he turns|say)\\s+)*";
const VALUE = "([^\\s,.;!?][^,.;!?\\n]*?(?:\\.(?=\\S)[^,.;!?\\n]*?)*)";
/** "…, sorry, I meant Porto": the mark, then a short value. */
const AFTERTHOUGHT = new RegExp(
  `(?:[,.;!…]|\\s[–—-]+|\\s\\()\\s*(?:(?:${MARK})[,:.!;…—–-]*\\s+){1,4}${SO}${VALUE}(?:,? not [^,.;!?]+)?\\)?(?=[,.;!?]\\s|[,.;!?]?$|\\n|,)`,
  "i",
);
/** "… in Graz - well, Gratwein, actually": the better value between two hedges. */
const WELL = new RegExp(
  `(?:(?:,|\\s[–—-]+)\\s*(?:or |well,? )+|\\s[–—-]+\\s*)${SO}([^\\s,.;!?–—-][^,.;!?\\n]{0,40}?),? (?:actually|really|technically|sorry|I mean|rather|my mistake|to be (?:precise|exact|accurate))(?=[,.;!?]|$)`,
  "i",
);
const OPENING = new RegExp(
  `^\\s*(?:(?:${MARK})[,:.!;…—–-]*\\s+){1,4}${SO}${VALUE}(?:,? not ([^,.;!?]+))?(?=[.!?,]|$)[.!]?(?:,[^.!?]*[.!?]?)?`,
  "i",
);
const NOT =
  /(?:,| –| -| and| but) not (?:in |at |from |a |an |the )?([\p{L}\p{N}@'.+-]+(?: [\p{L}\p{N}@'.+-]+){0,3}?)(?=[.!,;]?(?:\s|$)(?!\p{Ll}))/u;

const isNumber = (text: string) =>
  /^(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty\S*|thirty\S*|forty\S*|fifty\S*|sixty\S*)$/i
    .test(text);
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Replaces the last part of `text` that has the shape of `value`; null when nothing there fits. */
function replaceLast(text: string, value: string): string | null {
  const bare = value.replace(/^(?:the|an?|in|at) /i, "").trim();
  const shape = /@/.test(bare)
    ? /\S+@\S+\.\p{L}+/gu
    : /^[+(]?\d[\d ().-]{5,}$/.test(bare)
    ? /[+(]?\d[\d ().-]{5,}\d/g
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
  return text.slice(0, found.index) + one + text.slice(found.index + found[0].length);
}

/** A value is short, has no verb of its own, and is no reaction. */
function isValue(text: string): boolean {
  return text.split(/\s+/).length <= 4 &&
    !/^(?:that|this|it|to|for|about|i|you|we|he|she|they|what|not|never|just|really|so|too|can|could|will|would|the\s*$|worries|problem|idea|way|thanks|thank|no|yes|ok|late|wrong|my|because|but|and|if|a (?:bit|lot))\b/i
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

function within(text: string): string {
  let out = text;
  for (let i = 0; i < 3; i++) {
    const m = AFTERTHOUGHT.exec(out) ?? WELL.exec(out);
    if (!m || !isValue(m[1]!) || isNewSentence(m[0], m[1]!)) break;
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
  /\bI (?:said|wrote|told you|typed|mentioned)(?: earlier| before)?(?: that)? (I [^.;!?]{3,60}?),? but (?:(?:I (?:actually )?meant|it's|it is|it should be|actually it's|that's wrong,? it's|in fact it's|that was a typo,? it's)\s+)(?:actually |really )?([^,.;!?]+)/i;
const NOT_BUT =
  /\bnot (in|at|from|as|for|called|named|an?) ([\p{L}\p{N}' -]{2,25}?),? but (?:rather |instead )?(in|at|from|as|for|called|named|an?) /u;

/** "It isn't X, it's Y" says Y. */
const ISNT =
  /(?:(?<=\bI)(?:'m| am) not|\b(is) not|\b(is)n't|(?<=\w)('s) not) (?:an? |the )?[\p{L}\p{N}@+][^,;!?\n]{0,40}?, (?:it's|it is|that's|he's|she's) (?:actually |really )?(?=\S)/u;

/** The texts of a request with every correction applied to what it corrects. */
export function applyCorrections(texts: readonly Correctable[]): readonly Correctable[] {
  const out = texts.map((one) => ({ ...one }));
  out.forEach((current, i) => {
    current.text = within(
      current.text.replace(
        SAID_BUT,
        (all, clause: string, value: string) =>
          replaceLast(clause, value)?.replace(/^I was\b/, "I am") ?? all,
      ),
    );
    current.text = current.text.replace(
      NOT_BUT,
      (_all, _wrong, _value, preposition: string) => `${preposition} `,
    );
    current.text = current.text.replace(
      ISNT,
      (_all, ...is: (string | undefined)[]) => `${is[2] ?? (is[0] ?? is[1] ? "is" : " am")} `,
    );
    const earlier = out.slice(0, i).filter((one) => one.speaker === current.speaker).reverse();
    const opening = OPENING.exec(current.text);
    if (opening && isValue(opening[1]!)) {
      const target = earlier.find((one) =>
        opening[2]
          ? one.text.includes(opening[2].trim())
          : replaceLast(one.text.trimEnd().replace(/[.!]+$/, ""), opening[1]!) !== null
      );
      if (target) {
        const wrong = opening[2]?.trim();
        target.text = wrong
          ? target.text.replaceAll(wrong, opening[1]!)
          : (replaceLast(target.text.trimEnd().replace(/[.!]+$/, ""), opening[1]!) ?? target.text) +
            ".";
        current.text = current.text.slice(opening[0].length);
        return;
      }
    }
    const not = NOT.exec(current.text);
    if (
      !not ||
      !/\b(?:is|'s|am|'m|in|at|with|called|live|work|use|want|prefer|it)\b/i.test(
        current.text.slice(0, not.index),
      )
    ) return;
    const wrong = new RegExp(`(?<![\\p{L}\\p{N}])${escape(not[1]!)}(?![\\p{L}\\p{N}])`, "gu");
    const right = /([\p{L}\p{N}@'.+-]+(?: \p{Lu}[\p{L}'-]+)*)\s*$/u.exec(
      current.text.slice(0, not.index),
    )?.[1];
    const target = earlier.find((one) => wrong.test(one.text));
    if (target && right) {
      wrong.lastIndex = 0;
      target.text = target.text.replace(wrong, right);
    }
    current.text = current.text.slice(0, not.index) + current.text.slice(not.index + not[0].length);
  });
  return out;
}
