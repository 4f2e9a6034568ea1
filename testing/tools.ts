/** System programs needed by some tests. If one is missing, its tests are skipped. */

import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Commands for each tool, in order of preference, and the Debian package that installs it. */
const TOOLS = {
  chromium: {
    commands: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    package: "chromium",
  },
  curl: { commands: ["curl"], package: "curl" },
  gcc: { commands: ["gcc"], package: "gcc libc6-dev" },
  jq: { commands: ["jq"], package: "jq" },
  node: { commands: ["node"], package: "nodejs" },
  openssl: { commands: ["openssl"], package: "openssl" },
  initdb: { commands: ["initdb"], package: "postgresql" },
  pgbouncer: { commands: ["pgbouncer"], package: "pgbouncer" },
  prlimit: { commands: ["prlimit"], package: "util-linux" },
  ps: { commands: ["ps"], package: "procps" },
  python3: { commands: ["python3"], package: "python3 python3-venv" },
  setpriv: { commands: ["setpriv"], package: "util-linux" },
  setsid: { commands: ["setsid"], package: "util-linux" },
} as const;

/** A system program a test can require. */
export type Tool = keyof typeof TOOLS;

/** Returns the path of a tool's command, or undefined if the tool isn't installed. */
function findTool(tool: Tool): string | undefined {
  const folders = [...(Deno.env.get("PATH") ?? "").split(delimiter), ...postgresFolders()];
  return TOOLS[tool].commands.flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Debian's folders for the programs of PostgreSQL's server, newest version first. They aren't on the path. */
function postgresFolders(): string[] {
  const root = "/usr/lib/postgresql";
  if (!existsSync(root)) return [];
  return readdirSync(root).sort((a, b) => Number(b) - Number(a)).map((name) =>
    join(root, name, "bin")
  );
}

/**
 * Returns the path of a tool's command. Throws an error that names the package if the tool isn't
 * installed.
 */
export function requireTool(tool: Tool): string {
  const path = findTool(tool);
  if (path === undefined) throw new Error(howToInstall([tool]));
  return path;
}

/**
 * Registers a test that needs system programs. If one is missing, the test is skipped and its name
 * says which package to install. With `CI=true` it fails instead, so CI can't silently lose tests.
 */
export function testWith(
  tools: readonly Tool[],
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): void {
  const missing = tools.filter((tool) => findTool(tool) === undefined);
  if (missing.length === 0) return Deno.test(name, fn);
  const reason = howToInstall(missing);
  if (Deno.env.get("CI") === "true") {
    Deno.test(name, () => {
      throw new Error(reason);
    });
  } else Deno.test({ name: `${name} (skipped: ${reason})`, ignore: true, fn });
}

function howToInstall(tools: readonly Tool[]): string {
  const packages = tools.map((tool) => TOOLS[tool].package).join(" ");
  return `${tools.join(", ")} not found, run: apt-get install ${packages}`;
}
