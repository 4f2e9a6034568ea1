/** The parts of the user's machine that decide where clients keep their files. */

import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";

/** Operating systems with different locations for configuration files. */
export type OperatingSystem = "linux" | "darwin" | "windows";

/** A user's machine. */
export interface Machine {
  readonly os: OperatingSystem;
  readonly home: string;
  environment(name: string): string | undefined;
  exists(path: string): boolean;
}

/** Returns this machine, or null if the home directory is unknown. */
export function thisMachine(environment: Machine["environment"]): Machine | null {
  const os = Deno.build.os === "windows" || Deno.build.os === "darwin" ? Deno.build.os : "linux";
  const home = environment(os === "windows" ? "USERPROFILE" : "HOME");
  return home ? { os, home, environment, exists: existsSync } : null;
}

/** Joins the parts of a path the way the machine's system does. */
export function joinPath({ os }: Machine, ...parts: readonly string[]): string {
  return (os === "windows" ? win32 : posix).join(...parts);
}

/** Returns the folder in which applications keep their settings. */
export function settingsFolder(machine: Machine): string {
  const { os, home, environment } = machine;
  if (os === "darwin") return joinPath(machine, home, "Library", "Application Support");
  if (os === "windows") return environment("APPDATA") || joinPath(machine, home, "AppData/Roaming");
  return configFolder(machine);
}

/** Returns the folder that command-line programs use on every system: `~/.config`. */
export function configFolder(machine: Machine): string {
  return machine.environment("XDG_CONFIG_HOME") || joinPath(machine, machine.home, ".config");
}

/** Checks whether a program is on the `PATH`. */
export function isOnPath(machine: Machine, program: string): boolean {
  const [separator, suffixes] = machine.os === "windows"
    ? [";", [".exe", ".cmd", ".bat"]]
    : [":", [""]];
  return (machine.environment("PATH") ?? "").split(separator).some((folder) =>
    folder !== "" &&
    suffixes.some((suffix) => machine.exists(joinPath(machine, folder, program + suffix)))
  );
}
