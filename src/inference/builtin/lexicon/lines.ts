/** Long expressions over several lines, so that a change of one shows where it is. */

const joined = (raw: TemplateStringsArray): string => raw.raw[0]!.replace(/\s*\n\s*/g, "");

/** The source of an expression as it is written, without its line ends and the blanks beside them. */
export const lines = (source: TemplateStringsArray): string => joined(source);

/** An expression of such a source. */
export const pattern = (flags: string) => (source: TemplateStringsArray): RegExp =>
  new RegExp(joined(source), flags);
