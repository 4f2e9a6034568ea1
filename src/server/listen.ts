/**
 * The port that requests come in by. It stays open when the process has no file descriptor left for
 * another connection: Deno gives up listening at that, and idle connections would end the service.
 */

import { clearTimeout, setTimeout } from "node:timers";
import { describeError, type Log } from "../kernel/log.ts";

/** Pause before the port is opened again; by then some connections may have ended. */
const REOPEN_DELAY_MS = 100;

/** A port that is open. */
export interface HttpListener {
  readonly address: Deno.NetAddr;
  /** Takes no more requests, and waits for those that are under way. */
  shutdown(): Promise<void>;
}

/** The address of a port as URLs write it. */
export function urlOf({ hostname, port }: { readonly hostname: string; readonly port: number }) {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/**
 * @param handler takes a request and the address that it came from
 * @throws what Deno throws when the port can't be had at first
 */
export function listen(
  at: { readonly hostname: string; readonly port: number },
  log: Log,
  handler: (request: Request, address: string) => Response | Promise<Response>,
): HttpListener {
  let server = open(at);
  const address = server.addr;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  watch();

  function open(at: { readonly hostname: string; readonly port: number }) {
    return Deno.serve({
      ...at,
      onListen: () => {},
      onError: (error) => {
        log.error("connection failed", { error: describeError(error) });
        return new Response(null, { status: 500 });
      },
    }, (request, { remoteAddr }) => handler(request, remoteAddr.hostname));
  }

  function watch(): void {
    server.finished.catch((error) => {
      log.error("the port was given up, and is opened again", { error: describeError(error) });
      reopen();
    });
  }

  function reopen(): void {
    if (stopped) return;
    reopening = setTimeout(() => {
      try {
        server = open({ hostname: at.hostname, port: address.port });
        watch();
      } catch (error) {
        log.debug("the port can't be opened yet", { error: describeError(error) });
        reopen();
      }
    }, REOPEN_DELAY_MS);
  }

  return {
    address,
    async shutdown() {
      stopped = true;
      clearTimeout(reopening);
      await server.shutdown();
    },
  };
}
