/** Writes long expressions over several lines, so that diffs show what changed. */

const joined = (written: TemplateStringsArray, parts: readonly string[]): string =>
  written.raw.map((raw, i) => raw.replace(/\s*\n\s*/g, "") + (parts[i] ?? "")).join("");

/** Returns the source of an expression without line ends and the blanks around them. */
export const lines = (source: TemplateStringsArray, ...parts: readonly string[]): string =>
  joined(source, parts);

/** Returns a tag that compiles such a source to an expression. */
export const pattern =
  (flags: string) => (source: TemplateStringsArray, ...parts: readonly string[]): RegExp =>
    new RegExp(joined(source, parts), flags);
