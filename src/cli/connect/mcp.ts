/**
 * `commonplace mcp`: serves MCP over standard input and output, for clients that spawn processes.
 */

import type { McpServerFactory } from "@modelcontextprotocol/server";
import { parseFixedScope } from "../../mcp/scopes.ts";
import { environmentName, resolveSettings, serverConfig } from "../../server/config.ts";
import { VERSION } from "../../version.ts";
import {
  type Command,
  dataDirectory,
  type Flags,
  readFlags,
  type Terminal,
  UsageError,
} from "../command.ts";
import { onSignal } from "../interruption.ts";

const SCOPE_FLAGS = ["user-id", "agent-id", "run-id"] as const;

export const mcp: Command = {
  name: "mcp",
  summary: "serve MCP on standard input and output",
  usage: [
    "commonplace mcp [--data DIR] [--project NAME] [--user-id ID] [--agent-id ID] [--run-id ID]",
    "commonplace mcp --url URL [--user-id ID] …   (requires COMMONPLACE_API_KEY)",
  ],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["project", "url", ...SCOPE_FLAGS] });
    const fixed = parseFixedScope((key) =>
      flagOrEnvironment(flags, terminal, key.replace("_", "-"))
    );
    const url = remoteUrl(flags, terminal);
    if (url !== undefined) {
      const { apiKey } = serverConfig(resolveSettings([], terminal.environment));
      if (apiKey === undefined) throw new UsageError("--url requires COMMONPLACE_API_KEY");
      // Loaded here, since no other command needs it: the MCP client takes 6 MB.
      const { openProxy } = await import("../../mcp/proxy.ts");
      const proxy = await openProxy({ url, key: apiKey, fixed, version: VERSION });
      return await serveUntilClosed(proxy.factory, () => proxy.close());
    }
    const data = dataDirectory(flags, terminal);
    const config = serverConfig(resolveSettings(["--data", data], terminal.environment));
    const project = flagOrEnvironment(flags, terminal, "project")[0] ?? "default";
    const { openLocalMcp } = await import("../../server/local_mcp.ts");
    const local = await openLocalMcp(config, project, fixed);
    await serveUntilClosed(local.factory, () => local.stop());
  },
};

/**
 * Returns the remote server's URL, if any. `--data` takes precedence over a URL in the environment.
 */
function remoteUrl(flags: Flags, terminal: Terminal): string | undefined {
  const { url, data } = flags.text;
  if (url !== undefined && data !== undefined) {
    throw new UsageError("--url and --data can't be combined");
  }
  const remote = data === undefined ? flagOrEnvironment(flags, terminal, "url")[0] : undefined;
  if (remote !== undefined && !/^https?:$/.test(URL.parse(remote)?.protocol ?? "")) {
    throw new UsageError(`--url must be an http or https URL, but is "${remote}"`);
  }
  return remote;
}

/** Returns the value of a flag or its environment variable, otherwise an empty list. */
function flagOrEnvironment(flags: Flags, terminal: Terminal, name: string): string[] {
  const value = flags.text[name] ?? (terminal.environment(environmentName(name)) || undefined);
  return value === undefined ? [] : [value];
}

/**
 * Serves until the client has closed standard input and received all responses, or until a signal
 * arrives.
 */
async function serveUntilClosed(
  factory: McpServerFactory,
  stop: () => Promise<void>,
): Promise<void> {
  const interrupted = new Promise<void>((resolve) => void onSignal(() => resolve()));
  const { openStdio } = await import("../../mcp/stdio.ts");
  const connection = openStdio(factory);
  await Promise.race([connection.closed, interrupted]);
  await connection.close();
  await stop();
}
