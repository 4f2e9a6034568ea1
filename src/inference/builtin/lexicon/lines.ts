/** Writes long expressions over several lines, so that diffs show what changed. */

const joined = (written: TemplateStringsArray, parts: readonly string[]): string =>
  written.raw.map((raw, i) => raw.replace(/\s*\n\s*/g, "") + (parts[i] ?? "")).join("");

/** Returns the source of an expression without line ends and the blanks around them. */
export const lines = (source: TemplateStringsArray, ...parts: readonly string[]): string =>
  joined(source, parts);

/** Returns a tag that compiles such a source to an expression. */
export const pattern =
  (flags: string) => (source: TemplateStringsArray, ...parts: readonly string[]): RegExp =>
    compile(joined(source, parts), flags);

/** Returns an expression that V8 compiles to less code. It matches the same. */
export const compile = (source: string, flags = ""): RegExp =>
  new RegExp(separateGroups(source), flags);

/** Parts of an expression: an escape, a class, the start or end of a group with what repeats it, a bar. */
const PART =
  /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]?|[a-z-]+:))?|\)(?:(?:[?*+]|\{\d+(?:,\d*)?\})\??)?|\|/gs;

/**
 * Writes an empty lookahead, which always matches, behind each group of alternatives. V8 compiles what
 * follows a group up to ten times, depending on which alternative matched, but only once behind a
 * lookahead. Without them, an expression of 700 characters took 100 kB. Only where a match must begin at
 * the start of a text: elsewhere, V8 finds places for a match faster if it knows what follows a group.
 */
function separateGroups(source: string): string {
  const groups: { readonly isLookaround: boolean; hasAlternatives: boolean }[] = [];
  let isAnchored = source.startsWith("^");
  const separated = source.replace(PART, (part, at: number) => {
    if (part.startsWith("(")) {
      groups.push({ isLookaround: /^\(\?<?[=!]/.test(part), hasAlternatives: false });
    } else if (part === "|") {
      const group = groups.at(-1);
      if (group === undefined) isAnchored = false;
      else group.hasAlternatives = true;
    } else if (part.startsWith(")")) {
      const { isLookaround, hasAlternatives } = groups.pop()!;
      const isFollowed = /^(?!\(\?=\))[^|)]/s.test(source.slice(at + part.length));
      if (hasAlternatives && !isLookaround && isFollowed) return `${part}(?=)`;
    }
    return part;
  });
  return isAnchored ? separated : source;
}
