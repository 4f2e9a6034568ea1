/**
 * Versions of code whose results are stored. A stored result is only computed again once the version
 * rises, so code that changes needs a new one.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checksumOf, type Code } from "./checksum.ts";

/** Code with a version. */
export interface VersionedCode extends Code {
  /** Name of the constant with the version. */
  readonly constant: string;
  /** File with the constant, from the root. */
  readonly file: string;
  /** What code of another version changes. */
  readonly results: string;
}

/** Every version that the check covers. Tests compare the results of others. */
export const VERSIONED_CODE: readonly VersionedCode[] = [
  {
    constant: "ENGINE_VERSION",
    file: "src/inference/builtin_workers.ts",
    results: "what the builtin engine reads in a text",
    entries: ["src/inference/builtin/engine.ts", "src/inference/tagger/tagger.ts"],
    data: [
      "assets/inference/tagger-minilm/config.json",
      "assets/inference/tagger-e5/config.json",
    ],
  },
  {
    constant: "EXTRACTOR_VERSION",
    file: "src/extraction/version.ts",
    results: "the Markdown of a file",
    entries: ["src/extraction/extract.ts", "src/extraction/engines.ts"],
    data: ["assets/ocr/SHA256SUMS"],
  },
  {
    constant: "TERMS_VERSION",
    file: "src/search/query/terms.ts",
    results: "the terms of a text",
    entries: ["src/search/query/terms.ts"],
    data: [],
  },
];

/** The version that code last had, and its checksum then. */
export interface RecordedVersion {
  readonly version: string;
  readonly checksum: string;
}

/** Recorded versions, by constant. */
export type RecordedVersions = Readonly<Record<string, RecordedVersion>>;

/**
 * What to do about changed code: report it, record it with a new version, or record that its results
 * are the same.
 */
export type Action = "report" | "raise" | "same";

/** The versions to record, and a sentence for each version that isn't recorded as it is. */
export interface VersionReport {
  readonly versions: RecordedVersions;
  readonly problems: readonly string[];
}

/**
 * Compares code with its recorded versions. A version that was raised by hand isn't raised again.
 *
 * @param root folder that all paths are relative to
 */
export async function compareVersions(
  root: string,
  all: readonly VersionedCode[],
  recorded: RecordedVersions,
  action: Action,
): Promise<VersionReport> {
  const versions: Record<string, RecordedVersion> = {};
  const problems: string[] = [];
  for (const code of all) {
    const before = recorded[code.constant];
    let checksum = await checksumOf(root, code);
    let version = versionOf(root, code);
    if (before?.version === version && before.checksum === checksum) {
      versions[code.constant] = before;
      continue;
    }
    if (action === "raise" && before?.version === version) {
      version = raiseVersion(root, code, version);
      // The version can be part of the code.
      checksum = await checksumOf(root, code);
    }
    versions[code.constant] = { version, checksum };
    if (action === "report") problems.push(problemOf(code, version, before));
  }
  return { versions, problems };
}

function problemOf(
  { constant, file, results }: VersionedCode,
  version: string,
  before: RecordedVersion | undefined,
): string {
  return before?.version === version
    ? `${file}: The code behind ${constant} ${version} changed. If that changes ${results}, run ` +
      "`deno task versions --raise`. If not, run `deno task versions --same`"
    : `${file}: ${constant} ${version} isn't recorded. Run \`deno task versions --raise\``;
}

/** Matches a version's declaration: what is before the number, and the number. */
const declarationOf = (constant: string) => new RegExp(`(\\bconst ${constant} = "?)(\\d+)`);

function versionOf(root: string, { constant, file }: VersionedCode): string {
  const match = declarationOf(constant).exec(readFileSync(join(root, file), "utf8"));
  if (match === null) throw new Error(`${file} has no ${constant} that is a whole number`);
  return match[2]!;
}

function raiseVersion(root: string, { constant, file }: VersionedCode, version: string): string {
  const path = join(root, file);
  const raised = String(Number(version) + 1);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(declarationOf(constant), `$1${raised}`));
  return raised;
}
