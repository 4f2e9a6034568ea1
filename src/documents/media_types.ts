/** Which media types are text that can be stored as it is, and how they are written. */

/** Accepted without the upload lifecycle: interface, "Documents". Names as RFC 6838, 4.2 has them. */
const ACCEPTED =
  /^(text\/[\w!#$&^.+-]+|application\/(json|xml|yaml|x-yaml|toml|[\w!#$&^.+-]+\+(json|xml)))$/;

/** What says that the sender doesn't know. Browsers and curl send it for Markdown, for one. */
const UNDECLARED = "application/octet-stream";

/** Types of files whose sender gave none, by the end of their names. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  md: "text/markdown",
  markdown: "text/markdown",
  txt: "text/plain",
  text: "text/plain",
  log: "text/plain",
  rst: "text/x-rst",
  html: "text/html",
  htm: "text/html",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  json: "application/json",
  jsonl: "application/json",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  toml: "application/toml",
};

/** A media type in lower case without its parameters. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(";")[0]!.trim().toLowerCase();
}

/** Whether documents of a type (its essence) are taken as they are. */
export function isAccepted(essence: string): boolean {
  return ACCEPTED.test(essence);
}

/** The type of a file in a form: the one it declares, or else the one its name tells. */
export function typeOfFile(declared: string | null, filename: string): string {
  // RFC 7578, 4.4: a part that declares nothing is text/plain.
  const essence = essenceOf(declared ?? "text/plain");
  if (essence !== UNDECLARED) return essence;
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  return BY_EXTENSION[extension] ?? essence;
}
