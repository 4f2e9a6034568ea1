/** Finds cuts inside a block that's too long: between paragraphs, sentences and lines. */

import { extendsCluster, isLineEnd, isLowerCase, isWhiteSpace } from "./characters.ts";
import { cutBefore } from "./lines.ts";
import { CutCost } from "./sizes.ts";

/** Receives a cut and its cost. Cuts are emitted in ascending order. */
export type EmitCut = (at: number, cost: number) => void;

/**
 * Sentence-ending punctuation, if followed by white space: Latin, Arabic, Urdu, Indic, Ethiopic,
 * Khmer etc.
 */
const SPACED_ENDS = new Set([..."!?…؟۔।॥።፧፨။៕։܀"].map((end) => end.charCodeAt(0)));
/** Sentence-ending punctuation, even without white space after it. */
const UNSPACED_ENDS = new Set([..."。！？｡"].map((end) => end.charCodeAt(0)));
const CLOSERS = new Set([..."\"')]}»”’›）」』】》〉］｝*_"].map((end) => end.charCodeAt(0)));
const FULL_STOP = 0x2e;

/** Abbreviations that can precede a capital letter mid-sentence. */
const ABBREVIATIONS = new Set(
  ("mr mrs ms dr prof sr jr st rev gen col sgt capt lt vs etc no nos vol fig figs eq eqs sec ch " +
    "pp ed eds al inc ltd co corp dept approx ca cf bzw vgl nr art abs mme mlle av sra dra")
    .split(" "),
);

/**
 * Emits the cuts for the prose in `[from, to)`: after sentences, and at line ends, where the cost
 * depends on how much the line looks like the end of something. Never cuts before white space.
 */
export function emitProseCuts(text: string, from: number, to: number, emit: EmitCut): void {
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (isLineEnd(code)) {
      at = emitLineEnd(text, at, to, from, emit);
    } else if (code === FULL_STOP || SPACED_ENDS.has(code) || UNSPACED_ENDS.has(code)) {
      at = emitSentenceEnd(text, at, to, emit);
    } else at++;
  }
}

/** Emits a cut before every non-blank line of code in `[from, to)`. */
export function emitLineCuts(text: string, from: number, to: number, emit: EmitCut): void {
  let at = from;
  while (at < to) {
    if (!isLineEnd(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const { textStart, breaks } = skipLineEnds(text, at, to);
    if (textStart < to) {
      emit(cutBefore(text, textStart), breaks > 1 ? CutCost.codeAfterBlank : CutCost.codeLine);
    }
    at = textStart;
  }
}

function emitLineEnd(text: string, at: number, to: number, from: number, emit: EmitCut): number {
  const { textStart, breaks } = skipLineEnds(text, at, to);
  if (textStart >= to) return to;
  let cost: number = CutCost.line;
  if (breaks > 1) cost = CutCost.innerParagraph;
  else if (endsSentence(text, at, from)) cost = CutCost.sentenceAtLineEnd;
  else if (isLowerCase(text.charCodeAt(textStart))) cost = CutCost.wrappedLine;
  emit(cutBefore(text, textStart), cost);
  return textStart;
}

function emitSentenceEnd(text: string, at: number, to: number, emit: EmitCut): number {
  const needsSpace = !UNSPACED_ENDS.has(text.charCodeAt(at));
  const isFullStop = text.charCodeAt(at) === FULL_STOP;
  let after = at + 1;
  while (after < to && (CLOSERS.has(text.charCodeAt(after)) || isEnd(text.charCodeAt(after)))) {
    after++;
  }
  let next = after;
  while (next < to && isSpaceInLine(text.charCodeAt(next))) next++;
  if (next >= to || isLineEnd(text.charCodeAt(next))) return next;
  if (needsSpace && next === after) return after;
  if (isLowerCase(text.charCodeAt(next)) || extendsCluster(text, next)) return next;
  if (isFullStop && after === at + 1 && isAbbreviation(text, at)) return next;
  emit(next, CutCost.sentence);
  return next;
}

/** Checks whether the word before the period at `at` is a single letter or a known abbreviation. */
function isAbbreviation(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start <= 8 && isWordPart(text.charCodeAt(start - 1))) start--;
  const word = text.slice(start, at).toLowerCase();
  return word.length === 1 || ABBREVIATIONS.has(word);
}

function isWordPart(code: number): boolean {
  return code > 0x7f ? !isWhiteSpace(code) : (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

function endsSentence(text: string, lineEnd: number, from: number): boolean {
  let last = lineEnd - 1;
  while (last > from && isSpaceInLine(text.charCodeAt(last))) last--;
  while (last > from && CLOSERS.has(text.charCodeAt(last))) last--;
  return isEnd(text.charCodeAt(last));
}

function skipLineEnds(text: string, at: number, to: number): { textStart: number; breaks: number } {
  let breaks = 0;
  let textStart = at;
  for (; textStart < to; textStart++) {
    const code = text.charCodeAt(textStart);
    if (isLineEnd(code)) {
      if (code !== 0x0a || text.charCodeAt(textStart - 1) !== 0x0d) breaks++;
    } else if (!isWhiteSpace(code)) break;
  }
  return { textStart, breaks };
}

function isEnd(code: number): boolean {
  return code === FULL_STOP || SPACED_ENDS.has(code) || UNSPACED_ENDS.has(code);
}

function isSpaceInLine(code: number): boolean {
  return isWhiteSpace(code) && !isLineEnd(code);
}
