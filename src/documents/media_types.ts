/** Which media types are text that can be stored as it is, and how they are written. */

import { essenceOf, mediaTypeOf, UNKNOWN_MEDIA_TYPE } from "../kernel/media_types.ts";

/** Taken without an upload, since they are text. Names as RFC 6838, 4.2 has them. */
const ACCEPTED =
  /^(text\/[\w!#$&^.+-]+|application\/(json|xml|yaml|x-yaml|toml|[\w!#$&^.+-]+\+(json|xml)))$/;

/** Whether documents of a type (its essence) are taken as they are. */
export function isAccepted(essence: string): boolean {
  return ACCEPTED.test(essence);
}

/** The type of a file in a form: the one it declares, or else the one its name tells. */
export function typeOfFile(declared: string | null, filename: string): string {
  // RFC 7578, 4.4: a part that declares nothing is text/plain.
  const essence = essenceOf(declared ?? "text/plain");
  return essence === UNKNOWN_MEDIA_TYPE ? mediaTypeOf(filename) : essence;
}
