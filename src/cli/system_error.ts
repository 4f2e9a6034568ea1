/** Reads the messages of system errors, which Node and Deno write in different ways. */

/**
 * Formats of system errors: those of Node and of Deno, and that of Deno for the files of devices and
 * processes, which it opens only for programs with all permissions.
 */
const SYSTEM_ERRORS: readonly RegExp[] = [
  /^E[A-Z]+: (?<reason>[^,]+), \w+(?: '(?<path>[^']+)')?/,
  /^(?<reason>.+) \(os error \d+\)(?:: \w+ '(?<path>.+)')?$/,
];

/** What a system error says. */
export interface SystemError {
  readonly reason: string;
  readonly path?: string | undefined;
}

/** Returns what the message of a system error says, or undefined for any other message. */
export function readSystemError(message: string): SystemError | undefined {
  const [, device] = /^Requires all access to "(.+)", run again/.exec(message) ?? [];
  if (device !== undefined) {
    return { path: device, reason: "not a regular file; use - for standard input or output" };
  }
  const groups = SYSTEM_ERRORS.map((format) => format.exec(message)?.groups)
    .find((groups) => groups !== undefined);
  return groups && { reason: groups["reason"]!, path: groups["path"] };
}
