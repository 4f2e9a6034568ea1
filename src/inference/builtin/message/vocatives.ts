/**
 * Removes what people add to a fact in conversation: the name of the person addressed, and
 * comments.
 */

import { compile, lines } from "../lexicon/lines.ts";

const HOW = lines`
  good|great|awesome|amazing|nice|fun|cool|wonderful|lovely|incredible|fantastic|special|
  beautiful|gorgeous|perfect|the best|delicious|crazy|wild|insane|intense|tough|hard|
  scary|sad|worth it|rewarding|inspiring|unforgettable|breathtaking|magical|exciting|
  therapeutic|relaxing|enlightening|emotional|a blast|(?:a lot of|so much) fun|
  an? (?:(?:really|very) )?(?:great|amazing|awesome|incredible|wonderful|nice|special|
  unforgettable|fun) (?:time|experience|feeling|day|moment|sight|memory)
`;
const VERY =
  "(?:(?:so|really|super|such|quite|pretty|very|absolutely|just|truly|totally|also|been) )*";
const COMMENT = compile(
  `(?:\\s*[,;]\\s*|\\s+[-–—]+\\s+|\\s*—\\s*)(?:and |but )?` +
    `(?:(?:it|this|that)(?:'s| is| was| has been| felt| feels| will be)|so|such|what) ` +
    `${VERY}(?:${HOW})(?:,? (?:and|but|yet) ${VERY}(?:${HOW}))?(?: together| though| too)?$`,
  "i",
);

/** Min words that must be left of a sentence. */
const MIN_SENTENCE_WORDS = 4;

/** Returns a sentence without the comment at its end ("…, it was so much fun"). */
export function withoutComment(text: string): string {
  const bare = text.replace(COMMENT, "");
  return bare.split(/\s+/).length < MIN_SENTENCE_WORDS ? text : bare;
}

const CALLED_FIRST =
  /^(?:(?:hey|hi|hello|thanks) )?(\p{Lu}[\p{L}'-]+)\s*[,!]\s+(?:(?:and|but|so) )?/iu;
const CALLED_LAST = /\s*,\s+(\p{Lu}[\p{L}'-]+)$/u;

/** Checks whether a word is a person's name, or a short form of it ("Mel" for Melanie). */
function calls(word: string | undefined, name: string): boolean {
  if (word === undefined || !/^\p{Lu}/u.test(word)) return false;
  const [first = ""] = name.split(" ");
  return word === first || (word.length < first.length && first.startsWith(word.slice(0, 3)));
}

/** Returns a sentence without the name of the person addressed ("Mel, my family is here"). */
export function withoutVocative(text: string, other: string | null): string {
  if (other === null) return text;
  const first = CALLED_FIRST.exec(text),
    bare = calls(first?.[1], other) ? text.slice(first![0].length) : text;
  const last = CALLED_LAST.exec(bare);
  return calls(last?.[1], other) ? bare.slice(0, last!.index) : bare;
}
