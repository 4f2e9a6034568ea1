/** The words of RTF that decide what is read, and the state that groups and paragraphs carry. */

/** Groups that hold no text of the document. */
export const SKIPPED_DESTINATIONS = new Set(
  ("info pict header headerl headerr headerf footer footerl footerr footerf colortbl listtable " +
    "listoverridetable revtbl rsidtbl generator filetbl themedata colorschememapping latentstyles " +
    "datastore xmlnstbl mmathPr objdata objclass objname nonshppict falt panose pgptbl " +
    "sp ftnsep ftnsepc aftnsep aftnsepc do template userprops atnid atnauthor annotation atnref atndate")
    .split(" "),
);
/** Groups that are optional to readers but hold what is wanted here. */
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

/** What a group sets for the text in it. */
export interface GroupState {
  destination: Destination;
  font: number;
  bold: boolean;
  italic: boolean;
  strike: boolean;
  hidden: boolean;
  /** Bytes that stand in for each Unicode escape. */
  fallbackBytes: number;
  starred: boolean;
  isField: boolean;
  /** The group describes a row of a table inside a cell. */
  isNested: boolean;
  href: string | undefined;
}

/** What a paragraph is. */
export interface ParagraphState {
  style: number;
  outline: number | undefined;
  inTable: boolean;
  /** Depth of the table the paragraph is in: 2 is a table inside a cell. */
  depth: number;
  list: number | undefined;
  level: number;
}

/** The state at the start of a file. */
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

/** A paragraph without properties. */
export function defaultParagraphState(): ParagraphState {
  return { style: 0, outline: undefined, inTable: false, depth: 1, list: undefined, level: 0 };
}
