/** A real S3-compatible server for tests, in a folder of its own, behind a proxy that can fail. */

import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { blobAddress, type S3Address } from "../src/store/blobs/address.ts";
import { makeTempDirSync, rm } from "./temp_dir.ts";

const PROGRAM = join(import.meta.dirname!, "s3_program.ts");

const BUCKET = "files";

/** The key that the server accepts. */
export const S3_KEY = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" } as const;

/** What the proxy does with the next request. */
export type S3Fault =
  /** Responds with an error that can pass. */
  | { readonly kind: "busy"; readonly requests: number }
  /** Cuts the connection after this many bytes of responses. */
  | { readonly kind: "cut"; readonly afterBytes: number };

/** A running server. */
export interface S3Server {
  /** URL as for COMMONPLACE_BLOB_URL, with the given prefix. */
  url(prefix: string, bucket?: string): string;
  address(prefix: string, bucket?: string): S3Address;
  failNext(fault: S3Fault): void;
  /** Number of requests that failed in the proxy. */
  readonly faults: number;
  /** Makes the server unreachable until `bringBack`. */
  takeAway(): void;
  bringBack(): void;
  close(): Promise<void>;
}

/** Starts a server with one empty bucket. */
export async function startS3(): Promise<S3Server> {
  const folder = makeTempDirSync();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", PROGRAM, folder, "0", BUCKET],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const upstreamPort = await readPort(child);
  const proxy = await startProxy(upstreamPort);
  const url = (prefix: string, bucket = BUCKET) =>
    `s3://${bucket}/${prefix}?endpoint=http://127.0.0.1:${proxy.port}&region=eu-central-1`;
  return {
    url,
    address: (prefix, bucket) => blobAddress(url(prefix, bucket), S3_KEY) as S3Address,
    failNext: proxy.failNext,
    get faults() {
      return proxy.faults();
    },
    takeAway: () => proxy.setReachable(false),
    bringBack: () => proxy.setReachable(true),
    async close() {
      await proxy.close();
      child.kill("SIGKILL");
      await child.status;
      await rm(folder);
    },
  };
}

async function readPort(child: Deno.ChildProcess): Promise<number> {
  const reader = child.stdout.getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error("The S3 server didn't start");
    text += new TextDecoder().decode(value);
  }
  await reader.cancel();
  return Number(text);
}

const BUSY = "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

async function startProxy(upstreamPort: number) {
  let fault: S3Fault | null = null;
  let [faults, isReachable] = [0, true];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(upstreamPort, "127.0.0.1");
    const end = () => [client, upstream].forEach((socket) => socket.destroy());
    if (!isReachable) end();
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on("data", (bytes) => {
      if (fault?.kind !== "busy") return void upstream.write(bytes);
      fault = fault.requests > 1 ? { ...fault, requests: fault.requests - 1 } : null;
      faults++;
      client.end(BUSY, end);
    });
    upstream.on("data", (bytes) => {
      if (fault?.kind !== "cut") return void client.write(bytes);
      const rest = fault.afterBytes - bytes.length;
      if (rest > 0) {
        fault = { ...fault, afterBytes: rest };
        return void client.write(bytes);
      }
      fault = null;
      faults++;
      client.end(bytes.slice(0, bytes.length + rest), end);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    failNext: (next: S3Fault) => void (fault = next),
    faults: () => faults,
    setReachable(next: boolean) {
      isReachable = next;
      if (!next) { for (const socket of sockets) socket.destroy(); }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
