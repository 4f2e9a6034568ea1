/**
 * Escapes Markdown with as few backslashes as possible, since each one gets between a reader (or a
 * search index) and the words in the document.
 */

/** Escapes any characters in `text` that would otherwise be parsed as inline markup. */
export function escapeInline(text: string): string {
  let out = text.replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\");
  if (count(out, "*") > 1) out = out.replace(/\*(?=\S)|(?<=\S)\*/g, "\\*");
  if (count(out, "`") > 1) out = out.replaceAll("`", "\\`");
  if (count(out, "_") > 1) {
    out = out.replace(
      /(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)(?<!_)_+(?![\p{L}\p{N}_])/gu,
      (run) => run.length > 3 ? run : run.replaceAll("_", "\\_"),
    );
  }
  if (count(out, "~") > 3) out = out.replaceAll("~~", "\\~\\~");
  return out
    .replace(/\[(?=[^\]\n]*\]\()/g, "\\[")
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replace(/<(?=[A-Za-z/!?])/g, "&lt;");
}

/** Escapes characters at the start of a line that would otherwise start a block. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(\s*)(#{1,6}(?=\s|$)|[-+*](?=\s)|>|~~~|```)/, "$1\\$2")
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/, "$1\\$2")
    .replace(/^(\s*)(=+|-+)(\s*)$/, "$1\\$2$3");
}

function count(text: string, char: string): number {
  let total = 0;
  for (let index = text.indexOf(char); index >= 0; index = text.indexOf(char, index + 1)) total++;
  return total;
}
