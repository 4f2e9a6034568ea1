/** What hostile clients do with connections: hold them, starve them, flood them, drop them. */

import { ok, strictEqual } from "node:assert/strict";
import { LIMITS } from "../../src/kernel/limits.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";

/** What an attack is aimed at. */
export interface Target {
  readonly url: string;
  readonly key: string;
  /** A document of a megabyte. */
  readonly document: string;
  /** An operation that exported it: its answer is streamed. */
  readonly operation: string;
  /** How many connections, or repetitions, an attack uses. */
  readonly size: number;
  /** Fails unless an honest client is served, while the attack goes on. */
  checkServed(): Promise<void>;
}

/** One way to be hostile. */
export interface Attack {
  readonly name: string;
  run(target: Target): Promise<void>;
}

const headOf = ({ key }: Target, method: string, path: string, headers: string) =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${headers}\r\n`;

/** Opens connections, sends the same on each, and holds them while honest clients are served. */
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

/** Sends on fresh connections, and hangs up without reading. */
async function sendAndHangUp(target: Target, opening: string | Uint8Array): Promise<void> {
  for (let count = 0; count < target.size; count++) {
    using wire = await RawHttpConnection.open(target.url);
    await wire.send(opening);
  }
  await target.checkServed();
}

/** Sends pieces for as long as they are taken, and answers the status that stops it. */
async function sendUntilRefused(target: Target, head: string, piece: string): Promise<number> {
  using wire = await RawHttpConnection.open(target.url);
  await wire.send(head);
  const answer = wire.reply();
  let answered = false;
  void answer.then(() => answered = true);
  // The bound is for a server that takes everything: 64 MB are more than any limit.
  for (let sent = 0; sent < 2 ** 26 && !answered; sent += piece.length) {
    if (!await wire.send(piece)) break;
  }
  return (await answer).status;
}

const CHUNK = `10000\r\n${" ".repeat(2 ** 16)}\r\n`;

/** Every attack; each leaves nothing behind. */
export const ATTACKS: readonly Attack[] = [
  { name: "connections that say nothing", run: (target) => holdConnections(target, "") },
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
    name: "chunks without end",
    async run(target) {
      const head = headOf(
        target,
        "POST",
        "/v1/memories",
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n",
      );
      const status = await sendUntilRefused(target, head, CHUNK);
      strictEqual([413, Number.NaN].some((each) => Object.is(each, status)), true, `${status}`);
      await target.checkServed();
    },
  },
  {
    name: "headers without end",
    async run(target) {
      const status = await sendUntilRefused(
        target,
        "GET /livez HTTP/1.1\r\nhost: x\r\n",
        `x: ${"a".repeat(1_000)}\r\n`.repeat(64),
      );
      strictEqual(
        [400, 431, Number.NaN].some((each) => Object.is(each, status)),
        true,
        `${status}`,
      );
      await target.checkServed();
    },
  },
  {
    name: "uploads that break off",
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
    name: "answers that nobody reads",
    run: (target) =>
      sendAndHangUp(target, headOf(target, "GET", `/v1/documents/${target.document}/content`, "")),
  },
  {
    name: "streamed answers that nobody reads",
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
      strictEqual((await wire.reply()).status, 200, "a key that is right always passes");
      await target.checkServed();
    },
  },
  {
    name: "methods that nobody knows",
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
