/** Asks a server for its tools, the way a client will. */

import type { HttpTarget, ProcessTarget, Target } from "./clients.ts";

/** Time limits, in milliseconds. A process may have to load its models and open its database. */
const HTTP_TIMEOUT_MS = 10_000;
const PROCESS_TIMEOUT_MS = 60_000;

const PROTOCOL_VERSION = "2025-11-25";

/** Thrown if a server can't be reached or refuses the key. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";

  constructor(message: string, readonly refusesKey = false) {
    super(message);
  }
}

const LIST_TOOLS = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };

/**
 * Returns the names of the tools that a target offers.
 *
 * @throws UnreachableError if there's no valid response
 */
export async function askForTools(target: Target, timeoutMs?: number): Promise<string[]> {
  return target.kind === "http"
    ? await askUrl(target, timeoutMs ?? HTTP_TIMEOUT_MS)
    : await askProcess(target, timeoutMs ?? PROCESS_TIMEOUT_MS);
}

/**
 * Makes sure that there is a server at a URL, without a key for it.
 *
 * @throws UnreachableError if there's no valid response
 */
export async function requireServer(url: string, timeoutMs = HTTP_TIMEOUT_MS): Promise<void> {
  try {
    await askUrl({ kind: "http", url, key: "" }, timeoutMs);
  } catch (error) {
    if (!(error instanceof UnreachableError && error.refusesKey)) throw error;
  }
}

async function askUrl({ url, key }: HttpTarget, timeoutMs: number): Promise<string[]> {
  let response: Response;
  let body: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": PROTOCOL_VERSION,
      },
      body: JSON.stringify(LIST_TOOLS),
      // The key must not be sent anywhere else.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    body = await response.text();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    throw new UnreachableError(`No server responds at ${url}`);
  }
  if (response.status === 401) throw new UnreachableError(`${url} refuses the key`, true);
  if (response.status !== 200) {
    throw new UnreachableError(`${url} is not an MCP endpoint (status ${response.status})`);
  }
  return toolNames([body], url);
}

/** Starts the process, asks it, and ends it by closing its input. */
async function askProcess(target: ProcessTarget, timeoutMs: number): Promise<string[]> {
  const { program, args, environment } = target;
  const command = [program, ...args].join(" ");
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...environment },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(timeoutMs),
  }).spawn();
  const messages = [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: "commonplace-connect", version: "1" },
      },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    LIST_TOOLS,
  ];
  const output = child.output();
  const writer = child.stdin.getWriter();
  const text = messages.map((message) => JSON.stringify(message) + "\n").join("");
  // A process that fails at once closes its input. What it printed says why.
  await writer.write(new TextEncoder().encode(text)).then(() => writer.close(), () => {});
  const { stdout, stderr } = await output;
  const decoder = new TextDecoder();
  const lines = decoder.decode(stdout).split("\n");
  if (lines.some((line) => line.includes('"id":2'))) return toolNames(lines, command);
  const reason = decoder.decode(stderr).trim().split("\n").at(-1) ?? "";
  throw new UnreachableError(`\`${command}\` failed${reason === "" ? "" : `: ${reason}`}`);
}

/** Returns the tools in the response to LIST_TOOLS, which is one of the given messages. */
function toolNames(messages: readonly string[], source: string): string[] {
  for (const message of messages) {
    const tools = parse(message)?.result?.tools;
    if (Array.isArray(tools)) return tools.map(({ name }) => String(name));
  }
  throw new UnreachableError(`${source} doesn't respond like an MCP server`);
}

function parse(message: string): { result?: { tools?: { name?: unknown }[] } } | null {
  try {
    return JSON.parse(message);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
