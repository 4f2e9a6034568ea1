/**
 * Listens for HTTP requests, and keeps the port open even if the process runs out of file
 * descriptors. Deno stops listening when that happens, so enough idle connections would otherwise
 * bring down the service.
 */

import { clearTimeout, setTimeout } from "node:timers";
import { describeError, type Log } from "../kernel/log.ts";

/**
 * Delay before reopening the port, in milliseconds. Gives some of the connections time to close.
 */
const REOPEN_DELAY_MS = 100;

/** An open port. */
export interface HttpListener {
  readonly address: Deno.NetAddr;
  /** Stops accepting requests and waits for in-flight ones. */
  shutdown(): Promise<void>;
}

/** Formats an address as a URL. */
export function urlOf({ hostname, port }: { readonly hostname: string; readonly port: number }) {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/** Returns a URL to connect to from this machine, given one of an address to listen on. */
export function localUrl(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/**
 * Opens a port.
 *
 * @param handler handles a request, given its remote address
 * @throws Deno's error if the port can't be opened the first time
 */
export function listen(
  requested: { readonly hostname: string; readonly port: number },
  log: Log,
  handler: (request: Request, address: string) => Response | Promise<Response>,
): HttpListener {
  let server = open(requested);
  const address = server.addr;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  watch();

  function open(target: { readonly hostname: string; readonly port: number }) {
    return Deno.serve({
      ...target,
      onListen: () => {},
      onError: (error) => {
        log.error("connection failed", { error: describeError(error) });
        return new Response(null, { status: 500 });
      },
    }, (request, { remoteAddr }) => handler(request, remoteAddr.hostname));
  }

  function watch(): void {
    server.finished.catch((error) => {
      log.error("the port was closed unexpectedly; reopening it", { error: describeError(error) });
      reopen();
    });
  }

  function reopen(): void {
    if (stopped) return;
    reopening = setTimeout(() => {
      try {
        server = open({ hostname: requested.hostname, port: address.port });
        watch();
      } catch (error) {
        log.debug("the port can't be reopened yet", { error: describeError(error) });
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
