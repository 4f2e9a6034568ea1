/** Attacks that occupy, starve, flood or drop connections. */

import { ok, strictEqual } from "node:assert/strict";
import { LIMITS } from "../../src/kernel/limits.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";

/** What an attack targets. */
export interface Target {
  readonly url: string;
  readonly key: string;
  /** Id of a one-megabyte document. */
  readonly document: string;
  /** Id of an operation that exported the document. Its response is streamed. */
  readonly operation: string;
  /** How many connections an attack opens, or how often it repeats. */
  readonly size: number;
  /** Fails unless an honest client gets served during the attack. */
  checkServed(): Promise<void>;
}

/** One attack. */
export interface Attack {
  readonly name: string;
  run(target: Target): Promise<void>;
}

const headOf = ({ key }: Target, method: string, path: string, headers: string) =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${headers}\r\n`;

/**
 * Opens connections, sends the same bytes on each, and keeps them open while honest clients are
 * served.
 */
async function holdConnections(target: Target, opening: string): Promise<void> {
  const wires: RawHttpConnection[] = [];
  try {
    while (wires.length < target.size) {
      const wire = await RawHttpConnection.open(target.url);
      wires.push(wire);
      if (opening !== "") await wire.send(opening);
    }
    await target.checkServed();
  } finally {
    for (const wire of wires) wire.close();
  }
}

/** Sends data on fresh connections and closes them without reading. */
async function sendAndHangUp(target: Target, opening: string | Uint8Array): Promise<void> {
  for (let count = 0; count < target.size; count++) {
    using wire = await RawHttpConnection.open(target.url);
    await wire.send(opening);
  }
  await target.checkServed();
}

/** Sends pieces until the server stops reading or responds, then returns the status. */
async function sendUntilRefused(target: Target, head: string, piece: string): Promise<number> {
  using wire = await RawHttpConnection.open(target.url);
  await wire.send(head);
  const reply = wire.reply();
  let hasReplied = false;
  void reply.then(() => hasReplied = true);
  // Bail out eventually, even if the server accepts everything. 64 MB exceeds every limit.
  for (let sent = 0; sent < 2 ** 26 && !hasReplied; sent += piece.length) {
    if (!await wire.send(piece)) break;
  }
  return (await reply).status;
}

const CHUNK = `10000\r\n${" ".repeat(2 ** 16)}\r\n`;

/** All attacks. None of them leaves anything behind. */
export const ATTACKS: readonly Attack[] = [
  { name: "connections that send nothing", run: (target) => holdConnections(target, "") },
  {
    name: "headers that never end",
    run: (target) => holdConnections(target, "GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: a"),
  },
  {
    name: "bodies that never end",
    run: (target) =>
      holdConnections(
        target,
        headOf(
          target,
          "POST",
          "/v1/memories",
          "content-type: application/json\r\ncontent-length: 9000\r\n",
        ) + "{",
      ),
  },
  {
    name: "forms that never end",
    run: (target) =>
      holdConnections(
        target,
        headOf(
          target,
          "POST",
          "/v1/documents",
          "content-type: multipart/form-data; boundary=b\r\ncontent-length: 9000\r\n",
        ) + "--b\r\n",
      ),
  },
  {
    name: "endless chunks",
    async run(target) {
      const head = headOf(
        target,
        "POST",
        "/v1/memories",
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n",
      );
      const status = await sendUntilRefused(target, head, CHUNK);
      strictEqual(
        [413, Number.NaN].some((allowed) => Object.is(allowed, status)),
        true,
        `${status}`,
      );
      await target.checkServed();
    },
  },
  {
    name: "endless headers",
    async run(target) {
      const status = await sendUntilRefused(
        target,
        "GET /livez HTTP/1.1\r\nhost: x\r\n",
        `x: ${"a".repeat(1_000)}\r\n`.repeat(64),
      );
      strictEqual(
        [400, 431, Number.NaN].some((allowed) => Object.is(allowed, status)),
        true,
        `${status}`,
      );
      await target.checkServed();
    },
  },
  {
    name: "uploads that are cut off",
    run: (target) =>
      sendAndHangUp(
        target,
        headOf(
          target,
          "POST",
          "/v1/documents",
          "content-type: application/json\r\ncontent-length: 900000\r\n",
        ) +
          `{"content":"${"a".repeat(50_000)}`,
      ),
  },
  {
    name: "responses that are not read",
    run: (target) =>
      sendAndHangUp(target, headOf(target, "GET", `/v1/documents/${target.document}/content`, "")),
  },
  {
    name: "streamed responses that are not read",
    run: (target) =>
      sendAndHangUp(target, headOf(target, "GET", `/v1/operations/${target.operation}`, "")),
  },
  {
    name: "guessed keys",
    async run(target) {
      using wire = await RawHttpConnection.open(target.url);
      for (let count = 0; count < target.size; count++) {
        await wire.send(headOf({ ...target, key: `cpl_guess-${count}` }, "GET", "/v1/health", ""));
        const { status } = await wire.reply();
        ok(count < LIMITS.failedKeysPerMinute ? status === 401 : [401, 429].includes(status));
      }
      await wire.send(headOf(target, "GET", "/v1/health", ""));
      strictEqual((await wire.reply()).status, 200, "a valid key is always accepted");
      await target.checkServed();
    },
  },
  {
    name: "unknown methods",
    async run(target) {
      using wire = await RawHttpConnection.open(target.url);
      for (let count = 0; count < target.size; count++) {
        await wire.send(`X${count} /livez HTTP/1.1\r\nhost: x\r\n\r\n`);
        strictEqual((await wire.reply()).status, 405);
      }
      await target.checkServed();
    },
  },
];
