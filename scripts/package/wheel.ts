/** Builds the wheels of `commonplace-server`, one per platform. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { type ArchiveFile, zip } from "./archive.ts";
import type { BuiltPackage } from "./npm.ts";
import { DENO_VERSION, programFiles, renderLauncher } from "./program.ts";

/** Platform tags of wheels, for the platforms that Deno has wheels for. */
export const WHEEL_TAGS: Readonly<Record<string, string>> = {
  "linux-x64": "manylinux_2_28_x86_64",
  "linux-arm64": "manylinux_2_28_aarch64",
  "darwin-x64": "macosx_11_0_x86_64",
  "darwin-arm64": "macosx_14_0_arm64",
  "win32-x64": "win_amd64",
  "win32-arm64": "win_arm64",
};

const PACKAGE = "commonplace_server";

/** Builds the wheel for a platform, a key of {@link WHEEL_TAGS}. */
export async function buildWheel(root: string, platform: string): Promise<BuiltPackage> {
  const tag = `py3-none-${WHEEL_TAGS[platform]}`;
  const info = `${PACKAGE}-${config.version}.dist-info`;
  const template = (name: string) => readFileSync(join(root, "scripts/package/pypi", name), "utf8");
  const encode = (text: string) => new TextEncoder().encode(text);
  const program = await programFiles(root, [platform]);
  const files: ArchiveFile[] = [
    ...program.map((file) => ({ ...file, path: `${PACKAGE}/${file.path}` })),
    { path: `${PACKAGE}/__init__.py`, content: encode(renderLauncher(template("__init__.py"))) },
    {
      path: `${PACKAGE}/__main__.py`,
      content: encode(`from ${PACKAGE} import main\n\nmain()\n`),
    },
    { path: `${info}/METADATA`, content: encode(metadata(template("README.md"))) },
    {
      path: `${info}/WHEEL`,
      content: encode(
        `Wheel-Version: 1.0\nGenerator: commonplace\nRoot-Is-Purelib: false\nTag: ${tag}\n`,
      ),
    },
    {
      path: `${info}/entry_points.txt`,
      content: encode(
        `[console_scripts]\ncommonplace = ${PACKAGE}:main\ncommonplace-server = ${PACKAGE}:main\n`,
      ),
    },
  ];
  const record = [...files.map(recordLine), `${info}/RECORD,,`].join("\n");
  return {
    name: `${PACKAGE}-${config.version}-${tag}.whl`,
    bytes: zip([...files, { path: `${info}/RECORD`, content: encode(`${record}\n`) }]),
  };
}

function metadata(readme: string): string {
  return [
    "Metadata-Version: 2.1",
    "Name: commonplace-server",
    `Version: ${config.version}`,
    "Summary: A self-hosted memory service for applications and agents",
    `License: ${config.license}`,
    "Requires-Python: >=3.9",
    `Requires-Dist: deno==${DENO_VERSION}`,
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
}

function recordLine({ path, content }: ArchiveFile): string {
  const hash = createHash("sha256").update(content).digest("base64url");
  return `${path},sha256=${hash},${content.length}`;
}
