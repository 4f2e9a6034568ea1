/** The error for configuration files that can't be edited safely. */

/** Thrown if a file can't be parsed or edited. The message is shown to the user. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
