/** Line ends of a text. */

/** Returns the line end that a text uses, judged by its first line. */
export function lineEnd(text: string): "\n" | "\r\n" {
  return /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}
