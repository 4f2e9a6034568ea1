/** Long expressions over several lines, so that a change of one shows where it is. */

const joined = (written: TemplateStringsArray, parts: readonly string[]): string =>
  written.raw.map((raw, i) => raw.replace(/\s*\n\s*/g, "") + (parts[i] ?? "")).join("");

/** The source of an expression as it is written, without its line ends and the blanks beside them. */
export const lines = (source: TemplateStringsArray, ...parts: readonly string[]): string =>
  joined(source, parts);

/** An expression of such a source. */
export const pattern =
  (flags: string) => (source: TemplateStringsArray, ...parts: readonly string[]): RegExp =>
    new RegExp(joined(source, parts), flags);
