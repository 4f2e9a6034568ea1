/** Limits on the output of a single text, and the errors if it exceeds them. */
import type { ExtractedFact, UnreadCode } from "../extractor.ts";

/** Max facts of a message, in addition to those for its length. */
const BASE_FACTS = 50;

/** Characters of a message for each additional fact. */
const CHARACTERS_PER_FACT = 8;

/** Max claims of one fact. */
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

/** Returns the code for an exception thrown while reading a text. */
export function unreadCode(error: unknown): UnreadCode {
  // The stack overflows with a RangeError.
  if (error instanceof RangeError) return "DEPTH_LIMIT";
  return error instanceof OutputLimitError ? "OUTPUT_LIMIT" : "ENGINE_ERROR";
}
