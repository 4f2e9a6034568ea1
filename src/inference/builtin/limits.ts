/** Limits on what a single text may cost, and what went wrong when one exceeds them. */
import type { ExtractedFact, UnreadCode } from "../extractor.ts";

/** Most facts of any message, whatever its length. */
const BASE_FACTS = 50;

/** Shortest text that a fact can stand for, in characters. */
const CHARACTERS_PER_FACT = 8;

/** Most claims of one fact. */
const MAX_CLAIMS_PER_FACT = 60;

/** Thrown when a text yields more than its length can hold. */
class OutputLimitError extends Error {
  override readonly name = "OutputLimitError";
}

/** @throws {OutputLimitError} if a text has more facts or claims than it can hold */
export function checkOutput(text: string, facts: readonly ExtractedFact[]): void {
  const limit = BASE_FACTS + text.length / CHARACTERS_PER_FACT;
  if (
    facts.length > limit || facts.some(({ claims }) => claims.length > MAX_CLAIMS_PER_FACT)
  ) throw new OutputLimitError("A text yields more than it can hold");
}

/** The code for an exception thrown while reading a text. */
export function unreadCode(error: unknown): UnreadCode {
  // The stack overflows with a RangeError.
  if (error instanceof RangeError) return "DEPTH_LIMIT";
  return error instanceof OutputLimitError ? "OUTPUT_LIMIT" : "ENGINE_ERROR";
}
