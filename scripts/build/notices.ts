/** Collects the licence notices for everything in the executable that isn't our own. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { legalFiles, type NpmPackage } from "./npm_packages.ts";

/** Copyright lines for packages without a licence file, taken from their metadata or README. */
const COPYRIGHT_LINES: Readonly<Record<string, string>> = {
  "guid-typescript": "Copyright (c) nicolas",
  "onnxruntime-common": "Copyright (c) Microsoft Corporation",
  "onnxruntime-node": "Copyright (c) Microsoft Corporation",
  "onnxruntime-web": "Copyright (c) Microsoft Corporation",
  "pg-types": "Copyright (c) 2014 Brian M. Carlson",
  "pgpass": "Copyright (c) 2013-2016 Hannes Hörl",
  "saxes": "Copyright (c) Contributors to saxes and to sax, of which it is a fork",
};

const MIT =
  `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

const ISC =
  `Permission to use, copy, modify, and/or distribute this software for any purpose with or without
fee is hereby granted, provided that the above copyright notice and this permission notice appear in
all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS
SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE
AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE
OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS
SOFTWARE.
`;

const LICENCE_TEXTS: Readonly<Record<string, string>> = { MIT, ISC };

const SEPARATOR = "=".repeat(100);

/**
 * Returns the text of THIRD_PARTY.txt.
 *
 * @throws {Error} if a package has neither a licence file nor a known copyright holder, so that we
 *   review new ones
 */
export function thirdPartyNotices(root: string, packages: readonly NpmPackage[]): string {
  const { deno, v8 } = Deno.version;
  const runtime = `Copyright 2018-2026 the Deno authors. All rights reserved. MIT License.\n\n${MIT}
Deno contains V8 ${v8} (BSD-3-Clause, https://v8.dev), SQLite (public domain) and Rust libraries,
which are listed with their licences in its repository: https://github.com/denoland/deno/tree/v${deno}\n`;
  return [
    "Commonplace is licensed under Apache-2.0, see LICENSE. This file contains the notices of the\n" +
    "software that is distributed with it.\n",
    section(`Deno ${deno} (MIT)`, runtime),
    ...assetFolders(root).map((folder) =>
      section(`assets/${folder}`, licenceText(join(root, "assets", folder)))
    ),
    ...packages.map((pkg) =>
      section(`${pkg.name} ${pkg.version} (${pkg.license})`, packageText(pkg))
    ),
  ].join("\n");
}

function section(title: string, text: string): string {
  return `${SEPARATOR}\n${title}\n${SEPARATOR}\n\n${text.trimEnd()}\n`;
}

function packageText({ name, license, folder }: NpmPackage): string {
  if (legalFiles(folder).length > 0) return licenceText(folder);
  const text = LICENCE_TEXTS[license];
  const holder = COPYRIGHT_LINES[name];
  if (text === undefined || holder === undefined) {
    throw new Error(
      `Package ${name} (${license}) has no licence file; add it to COPYRIGHT_LINES in ${import.meta.filename}`,
    );
  }
  return `${holder}\n\n${text}`;
}

function licenceText(folder: string): string {
  return legalFiles(folder).map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

function assetFolders(root: string): string[] {
  return readdirSync(join(root, "assets"), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => legalFiles(path).length > 0)
    .map((path) => path.slice(join(root, "assets").length + 1))
    .sort();
}
