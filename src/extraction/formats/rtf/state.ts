/** RTF destinations and special characters, plus group and paragraph state. */

/** Groups without any document text. */
export const SKIPPED_DESTINATIONS = new Set(
  ("info pict header headerl headerr headerf footer footerl footerr footerf colortbl listtable " +
    "listoverridetable revtbl rsidtbl generator filetbl themedata colorschememapping latentstyles " +
    "datastore xmlnstbl mmathPr objdata objclass objname nonshppict falt panose pgptbl " +
    "sp ftnsep ftnsepc aftnsep aftnsepc do template userprops atnid atnauthor annotation atnref atndate")
    .split(" "),
);
/** Optional groups (`\*`) that we do read. */
export const SUPPORTED_STARRED_DESTINATIONS = new Set([
  "fldinst",
  "shppict",
  "shpinst",
  "shptxt",
  "ud",
  "footnote",
  "pn",
  "nesttableprops",
]);

export const SPECIAL_CHARACTERS: Readonly<Record<string, string>> = {
  tab: "\t",
  line: "\n",
  lbr: "\n",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
  "~": "\u00a0",
  "_": "-",
  "{": "{",
  "}": "}",
  "\\": "\\",
  "\n": "\n",
};

export type Destination =
  | "text"
  | "skip"
  | "fonts"
  | "styles"
  | "listtext"
  | "instruction"
  | "note"
  | "image";

/** Properties that a group sets for its text. */
export interface GroupState {
  destination: Destination;
  font: number;
  bold: boolean;
  italic: boolean;
  strike: boolean;
  hidden: boolean;
  /** Number of fallback bytes after each Unicode escape. */
  fallbackBytes: number;
  starred: boolean;
  isField: boolean;
  /** Whether the group describes a row in a nested table. */
  isNested: boolean;
  href: string | undefined;
}

/** Paragraph properties. */
export interface ParagraphState {
  style: number;
  outline: number | undefined;
  inTable: boolean;
  /** Depth of the paragraph's table. 2 is a table inside a cell. */
  depth: number;
  list: number | undefined;
  level: number;
}

/** Returns the state at the start of a file. */
export function defaultGroupState(): GroupState {
  return {
    destination: "text",
    font: 0,
    bold: false,
    italic: false,
    strike: false,
    hidden: false,
    fallbackBytes: 1,
    starred: false,
    isField: false,
    isNested: false,
    href: undefined,
  };
}

/** Returns the state of a paragraph without properties. */
export function defaultParagraphState(): ParagraphState {
  return { style: 0, outline: undefined, inTable: false, depth: 1, list: undefined, level: 0 };
}
