/**
 * Selections of tools, chosen by `?tools=` in the URL. Every listed tool costs a model tokens, and
 * some clients expect tools with certain names.
 */

import { invalidField } from "../kernel/errors.ts";
import type { ToolDefinition } from "./tool.ts";

/** Tools that only some clients use. They repeat others under names that these clients expect. */
const CHATGPT_TOOLS: readonly string[] = ["search", "fetch"];

/** Which tools a profile contains. */
export const PROFILES = {
  /** The default. */
  core: ({ name }) => !CHATGPT_TOOLS.includes(name),
  /** For clients that must not change anything, even if their permissions would allow it. */
  read: ({ name, hints }) => hints.readOnlyHint && !CHATGPT_TOOLS.includes(name),
  /** With the two tools that ChatGPT requires for research with citations. */
  chatgpt: () => true,
} as const satisfies Readonly<Record<string, (tool: ToolDefinition) => boolean>>;

export type Profile = keyof typeof PROFILES;

/**
 * Parses a profile's name.
 *
 * @throws ApiError INVALID_REQUEST if it's unknown, or there's more than one
 */
export function parseProfile(values: readonly string[]): Profile {
  const [value = "core", ...more] = values;
  if (more.length > 0) throw invalidField("tools", "Must have one value");
  if (Object.hasOwn(PROFILES, value)) return value as Profile;
  throw invalidField("tools", `Must be one of ${Object.keys(PROFILES).join(", ")}`);
}
