/** Installs published npm packages for integrations, with the client built from this repository. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname!, "../..");
const CLIENT = join(ROOT, "clients", "typescript");

/** Options of a command. */
export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and returns what it prints. Throws an error with its output if it fails. */
export async function command(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: CommandOptions,
): Promise<string> {
  const { success, code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env,
    stdin: "null",
  }).output();
  const [printed, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (success) return printed!;
  throw new Error(`${program} ${args.join(" ")} exited with ${code}\n${printed}${errors}`);
}

/**
 * Builds the client's npm package with plain `tsc`, unless its sources are older than the last one.
 * Returns the path of its tarball.
 */
export async function packClient(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8"));
  const tarball = join(ROOT, "dist", `commonplace-client-${version}.tgz`);
  const sources = readdirSync(join(CLIENT, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => join("src", name));
  const changed = ["package.json", "package-lock.json", "tsconfig.json", "README.md", ...sources]
    .map((name) => statSync(join(CLIENT, name)).mtimeMs);
  if (!existsSync(tarball) || statSync(tarball).mtimeMs < Math.max(...changed)) {
    await command(Deno.execPath(), ["task", "--quiet", "client:typescript"], { cwd: ROOT });
  }
  return tarball;
}

/**
 * Installs an integration's packages and the client's tarball into an empty folder, together with
 * the integration's programs. Returns the folder.
 */
export async function installIntegration(name: string, tarball: string): Promise<string> {
  const source = join(ROOT, "tests", "integrations", name);
  const folder = join(ROOT, "dist", "integrations", name);
  for (const entry of ["programs", "package.json", "package-lock.json"]) {
    rmSync(join(folder, entry), { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });
  for (const entry of ["programs", "package.json", "package-lock.json"]) {
    if (existsSync(join(source, entry))) {
      cpSync(join(source, entry), join(folder, entry), { recursive: true });
    }
  }
  await command("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
  await command("npm", ["install", "--no-save", "--no-audit", "--no-fund", tarball], {
    cwd: folder,
  });
  return folder;
}

/** Checks the types of the programs with `tsc --strict` and compiles them. */
export async function compilePrograms(folder: string): Promise<void> {
  const flags = "--strict --target es2023 --module nodenext --outDir programs --skipLibCheck " +
    "--rewriteRelativeImportExtensions";
  const programs = [...Deno.readDirSync(join(folder, "programs"))]
    .map(({ name }) => join("programs", name))
    .filter((path) => /\.m?ts$/.test(path));
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  await command("node", [tsc, ...flags.split(" "), ...programs], { cwd: folder });
}
