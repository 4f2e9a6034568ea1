/** The titles that enclose a place in a document. */

import type { Heading, Outline } from "./outline.ts";

/** A title is cut off here: it is repeated in every chunk of its section. */
const MAX_TITLE_CHARACTERS = 200;

/**
 * Walks through a document once, from its first heading to its last. `pathAt` must be asked for
 * ascending positions; it answers the titles in force there, from the outermost to the innermost.
 */
export class HeadingPath {
  readonly #outline: Outline;
  #next = 0;
  readonly #open: Heading[] = [];
  #path: readonly string[] = [];

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  pathAt(position: number): readonly string[] {
    const before = this.#next;
    for (;;) {
      const heading = this.#outline.headings[this.#next];
      if (heading === undefined || heading.start > position) break;
      while (this.#open.length > 0 && this.#open[this.#open.length - 1]!.level >= heading.level) {
        this.#open.pop();
      }
      this.#open.push(heading);
      this.#next++;
    }
    if (this.#next > before) {
      this.#path = this.#open.map((heading) => this.#titleOf(heading)).filter((title) =>
        title !== ""
      );
    }
    return this.#path;
  }

  #titleOf(heading: Heading): string {
    return normalizeTitle(this.#outline.plainTitle(heading.title));
  }
}

/** A title on one line, without space around it, and not longer than 200 UTF-16 units. */
function normalizeTitle(text: string): string {
  const title = text.slice(0, 1000).replace(/\s+/g, " ").trim();
  if (title.length <= MAX_TITLE_CHARACTERS) return title;
  return title.slice(0, MAX_TITLE_CHARACTERS).replace(/[\ud800-\udbff]$/, "").trimEnd() + "…";
}

/** The plain words of a Markdown title: links become their text, emphasis and code marks go. */
export function stripMarkdown(text: string): string {
  return text.slice(0, 1000)
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(
      /\\([!-/:-@[-`{-~])|\*\*|__|[*`]|<[^<>]*>/g,
      (_mark, escaped?: string) => escaped ?? "",
    );
}
