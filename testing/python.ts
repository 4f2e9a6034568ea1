/** Creates virtual environments of Python with pinned packages, and runs programs in them. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rm } from "./temp_dir.ts";
import { requireTool } from "./tools.ts";

const ENVIRONMENTS = join(import.meta.dirname!, "..", "dist", "python");

/** Attempts to install packages. Registries fail occasionally. */
const MAX_INSTALL_ATTEMPTS = 2;

/** The result of an exited program, with both of its outputs in order of arrival. */
export interface PythonResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options for a single run. */
export interface PythonRunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A virtual environment. */
export interface PythonEnvironment {
  readonly directory: string;
  /** Folder with its programs, e.g. `python` and `mypy`. */
  readonly bin: string;
  /** Runs one of its programs and waits for it to exit. */
  run(program: string, args: readonly string[], options?: PythonRunOptions): Promise<PythonResult>;
  /** Runs one of its programs and returns its output. Throws if it fails. */
  check(program: string, args: readonly string[], options?: PythonRunOptions): Promise<string>;
}

/**
 * Returns an environment with the packages of a requirements file. It is created on first use, kept
 * in `dist/python`, and rebuilt if the file has changed.
 *
 * @param name folder of the environment
 * @param requirements path of a requirements file with exact versions
 */
export async function pythonEnvironment(
  name: string,
  requirements: string,
): Promise<PythonEnvironment> {
  const directory = join(ENVIRONMENTS, name);
  const environment = environmentIn(directory);
  const installed = join(directory, "installed");
  const digest = createHash("sha256").update(readFileSync(requirements)).digest("hex");
  // Test files that run at the same time share it.
  mkdirSync(ENVIRONMENTS, { recursive: true });
  using lock = await Deno.open(`${directory}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (existsSync(installed) && readFileSync(installed, "utf8") === digest) return environment;
  await createEmptyEnvironment(directory);
  await install(environment, ["--requirement", requirements]);
  writeFileSync(installed, digest);
  return environment;
}

/**
 * Creates an environment without packages in a folder, and removes what the folder contained.
 *
 * @param python command that starts the interpreter. Defaults to that of the system
 */
export async function createEmptyEnvironment(
  directory: string,
  python = requireTool("python3"),
): Promise<PythonEnvironment> {
  await rm(directory);
  await check(python, ["-m", "venv", directory], {});
  return environmentIn(directory);
}

/** Installs packages with pip. */
export async function install(
  environment: PythonEnvironment,
  args: readonly string[],
): Promise<void> {
  // Programs compile the modules that they import. Most packages have far more.
  const pip = ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"];
  for (let attempt = 1;; attempt++) {
    const { code, stderr } = await environment.run("python", [...pip, ...args]);
    if (code === 0) return;
    if (attempt === MAX_INSTALL_ATTEMPTS) throw new Error(`pip install failed: ${stderr}`);
  }
}

function environmentIn(directory: string): PythonEnvironment {
  const bin = join(directory, "bin");
  const withPath = ({ env, ...options }: PythonRunOptions = {}): PythonRunOptions => ({
    ...options,
    env: { PATH: `${bin}:${Deno.env.get("PATH") ?? ""}`, ...env },
  });
  return {
    directory,
    bin,
    run: (program, args, options) => run(join(bin, program), args, withPath(options)),
    check: (program, args, options) => check(join(bin, program), args, withPath(options)),
  };
}

async function run(
  program: string,
  args: readonly string[],
  options: PythonRunOptions,
): Promise<PythonResult> {
  const output = await new Deno.Command(program, { args: [...args], ...options }).output();
  const [stdout, stderr] = [output.stdout, output.stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  return { code: output.code, stdout: stdout!, stderr: stderr! };
}

async function check(
  program: string,
  args: readonly string[],
  options: PythonRunOptions,
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}
