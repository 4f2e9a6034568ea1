/** A page as its reader meets it: blocks in their order, links, and what an answer has to show. */

/** One fenced block. */
export interface Block {
  /** The first word after the fence, e.g. `sh`. */
  readonly language: string;
  /** What follows it: the name of a file that the block is, or `by hand`. */
  readonly note: string;
  readonly text: string;
}

/** The blocks of a page in their order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*) *(.*)\n((?:.*\n)*?)^```$/gm)].map((
    [, language, note, text],
  ) => ({
    language: language!,
    note: note!,
    text: text!,
  }));
}

/** A page without its blocks and spans of code, in which nothing is a link. */
export function proseOf(page: string): string {
  return page.replaceAll(/^ *```.*\n(?:.*\n)*?^ *```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
}

/** Where the links and images of a page lead, by their text; addresses of the web left out. */
export function linksOf(page: string): string[] {
  return [...proseOf(page).matchAll(/\]\(\s*([^\s)]+)\s*\)/g)].map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page's headings, made as GitHub makes them. */
export function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = page.replaceAll(/^ *```.*\n(?:.*\n)*?^ *```$/gm, "").matchAll(/^#+ +(.+)$/gm);
  return new Set([...headings].map(([, heading]) => {
    const plain = heading!.toLowerCase().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").trim().replaceAll(" ", "-");
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  }));
}

/** What the service makes up anew each time: ids, keys, sign-in tokens; as a page shows one. */
const GENERATED_ID =
  /\b[a-z]+_01[0-9a-z]{24}\b|\bcpl_[\w-]{43}(?![\w-])|(?<=#signin=)[\w-]{32}(?![\w-])/g;

/** Any other of the same kind, as a pattern. */
function toPattern(shown: string): string {
  if (shown.startsWith("cpl_")) return "(cpl_[\\w-]{43})";
  return /^[a-z]+_01/.test(shown) ? `(${shown.split("_")[0]}_[0-9a-z]{26})` : "([\\w-]{32})";
}

/**
 * Holds what was printed against what the page shows. Blanks between the parts of JSON don't
 * count; `…` is anything; an id is any id of its kind, and the same one wherever it stands again.
 *
 * @param known the ids of the page so far and what they really are; what is new is added
 * @returns null, or the page's text as a pattern that didn't fit
 */
export function mismatch(
  shown: string,
  printed: string,
  known: Map<string, string>,
): string | null {
  const fresh: string[] = [];
  const text = normalizeOutput(shown);
  let [pattern, read] = ["", 0];
  for (const { 0: part, index } of text.matchAll(new RegExp(`${GENERATED_ID.source}|…`, "g"))) {
    pattern += RegExp.escape(text.slice(read, index));
    read = index + part.length;
    const place = fresh.indexOf(part);
    if (part === "…") pattern += "[^]*?";
    else if (known.has(part)) pattern += RegExp.escape(known.get(part)!);
    else if (place >= 0) pattern += `(?:\\${place + 1})`;
    else {
      fresh.push(part);
      pattern += toPattern(part);
    }
  }
  pattern += RegExp.escape(text.slice(read));
  const match = new RegExp(`^${pattern}$`).exec(normalizeOutput(printed));
  if (match === null) return pattern;
  fresh.forEach((id, place) => known.set(id, match[place + 1]!));
  return null;
}

/** The text with each id that the page shows replaced by the one that it stands for. */
export function withIds(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(GENERATED_ID, (id) => known.get(id) ?? id);
}

/** JSON without the blanks outside of its texts; other text without those at its lines' ends. */
function normalizeOutput(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text.replaceAll(/[ \t]+$/gm, "").trim();
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => part.startsWith('"') ? part : "");
}
