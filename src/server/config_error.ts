/** Errors of the configuration and of command lines. Each message is one line for the terminal. */

/** An invalid configuration. */
export class ConfigError extends Error {
  override readonly name: string = "ConfigError";
}

/**
 * An unknown, missing or unexpected flag or argument. The command's help lists those it accepts.
 */
export class ArgumentError extends ConfigError {
  override readonly name = "ArgumentError";
}
