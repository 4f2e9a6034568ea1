/** Finds the titles of the headings enclosing a position in a document. */

import { excerpt, truncate } from "../../kernel/text.ts";
import type { Heading, Outline } from "./outline.ts";

/** Maximum length of a title, since it's repeated in every chunk of its section. */
const MAX_TITLE_CHARACTERS = 200;

/**
 * Finds the headings enclosing a position, in one pass over the document. `pathAt` returns titles
 * from outermost to innermost, and must be called with ascending positions.
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

/** Returns a title on a single line, trimmed and truncated to 200 UTF-16 code units. */
function normalizeTitle(text: string): string {
  return excerpt(truncate(text, 1000), MAX_TITLE_CHARACTERS);
}

/**
 * Returns a Markdown title's text. Replaces links with their text and removes emphasis and code
 * marks.
 */
export function stripMarkdown(text: string): string {
  return text.slice(0, 1000)
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(
      /\\([!-/:-@[-`{-~])|\*\*|__|[*`]|<[^<>]*>/g,
      (_mark, escaped?: string) => escaped ?? "",
    );
}
