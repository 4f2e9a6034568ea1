/** The tagger's results, and what they're made of. */

export type { SentenceTags, TaggedLabel, TaggedSpan } from "./decode.ts";
export { CLOSED_VALUES, type SpanState, TAGGED_ATTRIBUTES } from "./labels.ts";
export type { Tagger } from "./tagger.ts";
