/** Takes off what people say to each other beside the fact: names that only call, and how it was. */

import { lines } from "../lexicon/lines.ts";

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
const COMMENT = new RegExp(
  `(?:\\s*[,;]\\s*|\\s+[-–—]+\\s+|\\s*—\\s*)(?:and |but )?` +
    `(?:(?:it|this|that)(?:'s| is| was| has been| felt| feels| will be)|so|such|what) ` +
    `${VERY}(?:${HOW})(?:,? (?:and|but|yet) ${VERY}(?:${HOW}))?(?: together| though| too)?$`,
  "i",
);

/** What a sentence must keep: less than this many words are no sentence. */
const MIN_SENTENCE_WORDS = 4;

/** A sentence without the comment at its end ("…, it was so much fun"). */
export function withoutComment(text: string): string {
  const bare = text.replace(COMMENT, "");
  return bare.split(/\s+/).length < MIN_SENTENCE_WORDS ? text : bare;
}

const CALLED_FIRST =
  /^(?:(?:hey|hi|hello|thanks) )?(\p{Lu}[\p{L}'-]+)\s*[,!]\s+(?:(?:and|but|so) )?/iu;
const CALLED_LAST = /\s*,\s+(\p{Lu}[\p{L}'-]+)$/u;

/** Whether a word is somebody's name, or a short form of it ("Mel" for Melanie). */
function calls(word: string | undefined, name: string): boolean {
  if (word === undefined || !/^\p{Lu}/u.test(word)) return false;
  const [first = ""] = name.split(" ");
  return word === first || (word.length < first.length && first.startsWith(word.slice(0, 3)));
}

/** A sentence without the name of the one it is said to ("Mel, my family is here"). */
export function withoutVocative(text: string, other: string | null): string {
  if (other === null) return text;
  const first = CALLED_FIRST.exec(text),
    bare = calls(first?.[1], other) ? text.slice(first![0].length) : text;
  const last = CALLED_LAST.exec(bare);
  return calls(last?.[1], other) ? bare.slice(0, last!.index) : bare;
}
