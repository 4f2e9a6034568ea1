/** Media types of text that can be stored without extraction. */

import { essenceOf, mediaTypeOf, UNKNOWN_MEDIA_TYPE } from "../kernel/http/media_types.ts";

/**
 * Types accepted without an upload. Names follow RFC 6838, section 4.2, which also limits their
 * length.
 */
const ACCEPTED =
  /^(text\/[\w!#$&^.+-]{1,127}|application\/(json|xml|yaml|x-yaml|toml|[\w!#$&^.+-]{1,122}\+(json|xml)))$/;

/**
 * Checks whether documents with a media type are accepted without an upload. Expects the type
 * without parameters.
 */
export function isAccepted(essence: string): boolean {
  return ACCEPTED.test(essence);
}

/**
 * Returns the media type of a file in a form: the declared type, or else the one for its file
 * extension.
 */
export function typeOfFile(declared: string | null, filename: string): string {
  // RFC 7578, section 4.4: a part's type defaults to text/plain.
  const essence = essenceOf(declared ?? "text/plain");
  return essence === UNKNOWN_MEDIA_TYPE ? mediaTypeOf(filename) : essence;
}
