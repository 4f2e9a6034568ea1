/** Parses pages: code blocks, links, anchors, and the output expected from commands. */

/** A single fenced block. */
export interface Block {
  /** The first word after the fence, such as `sh`. */
  readonly language: string;
  /** The rest of the line after the language: the block's file name. */
  readonly note: string;
  readonly text: string;
}

/** Returns the code blocks on a page, in order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*) *(.*)\n((?:.*\n)*?)^```$/gm)].map((
    [, language, note, text],
  ) => ({
    language: language!,
    note: note!,
    text: text!,
  }));
}

/** Returns a page without its code blocks. */
function withoutBlocks(page: string): string {
  return page.replaceAll(/^ *```.*\n(?:.*\n)*?^ *```$/gm, "");
}

/** Returns a page without its code blocks and code spans, since nothing in them is a link. */
export function proseOf(page: string): string {
  return withoutBlocks(page).replaceAll(/`[^`\n]*`/g, "");
}

/** Returns the texts of a page's code spans. */
export function codeSpansOf(page: string): string[] {
  return [...withoutBlocks(page).matchAll(/`([^`\n]*)`/g)].map(([, code]) => code!);
}

/** Returns a page's link and image targets, except for web addresses. */
export function linksOf(page: string): string[] {
  return [...proseOf(page).matchAll(/\]\(\s*([^\s)]+)\s*\)/g)].map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns a page's heading anchors, in GitHub's form. */
export function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = withoutBlocks(page).matchAll(/^#+ +(.+)$/gm);
  return new Set([...headings].map(([, heading]) => {
    const plain = heading!.toLowerCase().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").trim().replaceAll(" ", "-");
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  }));
}

/** Values generated afresh every time: ids, keys and sign-in tokens. */
const GENERATED_ID =
  /\b[a-z]+_01[0-9a-z]{24}\b|\bcpl_[\w-]{43}(?![\w-])|(?<=#signin=)[\w-]{32}(?![\w-])/g;

/** Returns a pattern that matches any generated value of the same kind. */
function toPattern(shown: string): string {
  if (shown.startsWith("cpl_")) return "(cpl_[\\w-]{43})";
  return /^[a-z]+_01/.test(shown) ? `(${shown.split("_")[0]}_[0-9a-z]{26})` : "([\\w-]{32})";
}

/**
 * Compares printed output with the output shown on a page. White space between JSON tokens is
 * ignored, `…` matches anything, and an id matches any id of its kind. A repeated id has to match
 * the same value as before.
 *
 * @param known real ids, keyed by the ids on the page; new ones are added
 * @returns null if the output matches, otherwise the pattern that didn't match
 */
export function mismatch(
  shown: string,
  printed: string,
  known: Map<string, string>,
): string | null {
  const added: string[] = [];
  const text = normalizeOutput(shown);
  let [pattern, end] = ["", 0];
  for (const { 0: part, index } of text.matchAll(new RegExp(`${GENERATED_ID.source}|…`, "g"))) {
    pattern += RegExp.escape(text.slice(end, index));
    end = index + part.length;
    const group = added.indexOf(part);
    if (part === "…") pattern += "[^]*?";
    else if (known.has(part)) pattern += RegExp.escape(known.get(part)!);
    else if (group >= 0) pattern += `(?:\\${group + 1})`;
    else {
      added.push(part);
      pattern += toPattern(part);
    }
  }
  pattern += RegExp.escape(text.slice(end));
  const match = new RegExp(`^${pattern}$`).exec(normalizeOutput(printed));
  if (match === null) return pattern;
  added.forEach((id, index) => known.set(id, match[index + 1]!));
  return null;
}

/** Replaces each id shown on a page with the real one. */
export function withIds(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(GENERATED_ID, (id) => known.get(id) ?? id);
}

/** Removes white space outside of JSON strings. In any other text, only trims the ends of lines. */
function normalizeOutput(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text.replaceAll(/[ \t]+$/gm, "").trim();
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => part.startsWith('"') ? part : "");
}
