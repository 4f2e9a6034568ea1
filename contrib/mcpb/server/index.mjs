/**
 * Forwards MCP messages between standard input and output and a running Commonplace server. Each
 * message is one POST, and the server checks everything. Has no dependencies, so that the extension
 * is small and can be read.
 *
 * Environment: COMMONPLACE_URL, COMMONPLACE_API_KEY, and optionally COMMONPLACE_USER_ID.
 */

import process from "node:process";
import { createInterface } from "node:readline";

/** How long a call may take, in milliseconds. Clients give up earlier. */
const TIMEOUT_MS = 120_000;

/** JSON-RPC code for failures of the server (jsonrpc.org/specification). */
const INTERNAL_ERROR = -32_603;

const url = endpoint(process.env["COMMONPLACE_URL"] || "http://127.0.0.1:8420");
const key = process.env["COMMONPLACE_API_KEY"] ?? "";

/** The revision that client and server agreed on. Sent with every later message. */
let protocolVersion;

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.trim() === "") continue;
  const message = parse(line);
  // Only the first message has to come before all others.
  if (message?.method === "initialize") await forward(line, message);
  else void forward(line, message);
}

function endpoint(address) {
  const result = new URL(address.replace(/\/+$/, "").replace(/(\/mcp)?$/, "/mcp"));
  const userId = process.env["COMMONPLACE_USER_ID"] ?? "";
  // Some versions of Claude Desktop leave the placeholder of an empty option as it is.
  if (userId !== "" && !userId.startsWith("${")) result.searchParams.set("user_id", userId);
  return result;
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    // The server says what is wrong with it.
    return null;
  }
}

/** Sends a message and writes the response. A message without an id gets none. */
async function forward(line, message) {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headersOf(message),
      },
      body: line,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    for (const reply of messagesIn(response, text)) respond(reply, message);
  } catch (error) {
    const cause = error instanceof Error && error.cause ? ` (${error.cause.message})` : "";
    fail(message, `No Commonplace server responds at ${url.origin}: ${error.message}${cause}`);
  }
}

/** Returns the headers that repeat parts of a message, as each revision requires. */
function headersOf(message) {
  const stateless = message?.params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  const version = stateless ?? protocolVersion;
  if (version === undefined) return {};
  const headers = { "mcp-protocol-version": version };
  if (stateless === undefined) return headers;
  const name = message.params.name ?? message.params.uri;
  return {
    ...headers,
    "mcp-method": message.method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

function messagesIn(response, text) {
  const type = response.headers.get("content-type") ?? "";
  const texts = type.startsWith("text/event-stream")
    ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => data)
    : [text];
  const messages = texts.filter((item) => item !== "").map((item) => parse(item));
  if (messages.every((item) => item?.jsonrpc === "2.0" || Array.isArray(item))) return messages;
  // An error of the API: {code, message, request_id}.
  throw new Error(messages[0]?.message ?? `status ${response.status}`);
}

function respond(reply, message) {
  if (message?.method === "initialize") protocolVersion = reply.result?.protocolVersion;
  process.stdout.write(JSON.stringify(reply) + "\n");
}

function fail(message, text) {
  process.stderr.write(`${text}\n`);
  if (message?.id === undefined || message.method === undefined) return;
  const error = { code: INTERNAL_ERROR, message: text };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }) + "\n");
}
