/** The running service: start, serve, drain, stop. */

import { clearInterval, setInterval } from "node:timers";
import type { Endpoint } from "../contract/endpoint.ts";
import { derivedRoutes } from "../derived/routes.ts";
import { documentRoutes } from "../documents/routes.ts";
import { entityRoutes } from "../entities/routes.ts";
import { eventRoutes } from "../events/routes.ts";
import { healthRoutes } from "../health/routes.ts";
import { BUILTIN } from "../inference/service.ts";
import { openDashboard } from "../dashboard/door.ts";
import { createApp } from "../http/app.ts";
import { openMcp } from "../mcp/door.ts";
import { Metrics } from "../http/observe.ts";
import { describeError, jsonLog, type Log } from "../kernel/log.ts";
import { batchRoutes } from "../memories/batch_routes.ts";
import { memoryRoutes } from "../memories/routes.ts";
import { systemTimers } from "../kernel/timers.ts";
import { snapshotRoutes } from "../snapshots/routes.ts";
import { requireJson } from "../http/body.ts";
import { LIMITS } from "../kernel/limits.ts";
import { operationRoutes } from "../operations/routes.ts";
import { uploadRoutes } from "../uploads/routes.ts";
import { VERSION } from "../version.ts";
import { BackupSchedule } from "../backup/schedule.ts";
import { hostedEndpoints } from "../hosted/metered_endpoints.ts";
import { Postman } from "../hosted/postman.ts";
import { textOnly } from "../uploads/local_text.ts";
import { noteAddress } from "./address.ts";
import type { ServerConfig, Variant } from "./config.ts";
import { UnderWay } from "./drain.ts";
import { firstStart, warnOfKeys } from "./first_start.ts";
import { houseFigures } from "./house_figures.ts";
import { closeHouse, type House, openHouse } from "./house.ts";
import { listen, urlOf } from "./listen.ts";
import { lockDataDirectory } from "./lock.ts";
import { HouseWork } from "./work.ts";

/** How long requests that are under way may take once the service is told to stop. */
const DRAIN_MS = 10_000;

/** How often what is written behind (read counters, key use, retired versions) is written. */
export const WRITE_BEHIND_MS = 5_000;

/** A service that accepts requests. */
export interface RunningServer {
  readonly url: string;
  /** Stops accepting, finishes what runs, writes everything out. */
  stop(): Promise<void>;
}

/** Every endpoint under /v1, in the order of the documentation. */
export function endpointsOf(house: House, importBytes: number = LIMITS.importBody): Endpoint[] {
  const rooms = { ...house, store: house.foundation.store };
  return [
    ...batchRoutes(rooms),
    ...memoryRoutes(rooms),
    ...documentRoutes(rooms),
    ...uploadRoutes(rooms),
    ...entityRoutes(rooms),
    ...operationRoutes(rooms),
    ...snapshotRoutes({ ...rooms, importBytes, requireJson }),
    ...eventRoutes(rooms),
    ...derivedRoutes(rooms),
    ...healthRoutes(rooms),
  ];
}

/** The endpoints as a variant has them. */
export function variantOf(endpoints: Endpoint[], house: House, variant?: Variant): Endpoint[] {
  if (variant === "hosted") return hostedEndpoints(endpoints, house.ledger, house.foundation.store);
  return variant === "desktop" ? textOnly(endpoints) : endpoints;
}

/**
 * Starts the service on a data directory of its own.
 *
 * @param print one line for the person at the terminal, on standard output
 */
export async function startServer(
  config: ServerConfig,
  print: (line: string) => void,
): Promise<RunningServer> {
  const unlock = await lockDataDirectory(config.data);
  const house = await openHouse(config.data, {
    embedder: config.embedder,
    searchMemoryBytes: config.searchMemoryBytes,
    inference: config.inference ?? BUILTIN,
    ...config.variant === undefined ? {} : { variant: config.variant },
  });
  const { clock } = house.foundation;
  const log = jsonLog(clock, config.logLevel, (text) => void Deno.stderr.writeSync(encode(text)));
  let state: "starting" | "ready" | "stopping" = "starting";

  const backups = config.backup === undefined ? null : new BackupSchedule(
    { source: config.data, ...config.backup },
    { clock, timers: systemTimers, log },
  );
  const work = new HouseWork(house, log);
  const postman = config.variant !== "hosted" ? null : new Postman({
    ...house.foundation,
    timers: systemTimers,
    log,
    allowPrivate: config.webhooksAllowPrivate ?? false,
  });
  const metrics = config.metrics ? processMetrics(house) : null;
  const endpoints = variantOf(endpointsOf(house, config.importBytes), house, config.variant);
  const mcp = openMcp({ ...house, endpoints, log, version: VERSION });
  const dashboard = openDashboard({
    ...house,
    endpoints,
    password: config.dashboardPassword,
    house: houseFigures(clock, config.data),
  });
  const app = createApp({
    ...house,
    log,
    endpoints,
    doors: [dashboard, mcp.door],
    version: VERSION,
    metrics,
    state: () => state,
  });
  const underWay = new UnderWay();
  const port = { hostname: config.host, port: config.port };
  const server = listen(
    port,
    log,
    (request, address) => underWay.track(app.fetch(request, { address })),
  );
  const behind = setInterval(() => void writeBehind(house, log), WRITE_BEHIND_MS);
  const url = urlOf(server.address);
  noteAddress(config.data, url);

  // After the port is taken: a first start that can't listen must not use up the only showing of
  // the key. Until then no key is known, and every request is refused.
  const first = await firstStart(house, config.apiKey);
  if (first !== null) {
    if (first.apiKey !== null) print(`API key  ${first.apiKey}`);
    print(`Dashboard  ${url}/#signin=${first.signInToken}`);
  } else {
    await warnOfKeys(house, config.apiKey, log);
  }
  await work.start();
  backups?.start();
  postman?.start();
  state = "ready";
  print(`commonplace listening on ${url}`);
  log.info("started", { version: VERSION, url });

  return {
    url,
    async stop() {
      state = "stopping";
      clearInterval(behind);
      backups?.stop();
      work.ease();
      await postman?.stop();
      // From here on new requests are refused. Those under way come first: Deno's own shutdown
      // makes a body unreadable that is still arriving (measured with 2.9.6).
      const patient = patience(DRAIN_MS);
      await Promise.race([Promise.all([underWay.idle(), work.finishTasks()]), patient]);
      await mcp.close();
      await Promise.race([server.shutdown(), patient]);
      await writeBehind(house, log, "last");
      house.embedder?.close();
      await house.projection?.stop();
      await closeHouse(house);
      unlock();
      log.info("stopped");
      log.flush();
    },
  };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/**
 * Writes out what was only noted: reads of memories, uses of keys, searches, versions that went.
 *
 * @param time the last one writes what isn't due yet too
 */
export async function writeBehind(house: House, log: Log, time?: "last"): Promise<void> {
  const { access, activity, keys, documents } = house;
  try {
    await access.flush();
    await (time === "last" ? activity.flush() : activity.flushIfDue());
    await keys.flush();
    await documents.finishPurge();
  } catch (error) {
    log.warn("what is written behind was not written", { error: describeError(error) });
  }
}

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, milliseconds)));
}

function processMetrics({ projection }: House): Metrics {
  const metrics = new Metrics();
  metrics.gauge(
    "process_resident_memory_bytes",
    "Memory that the process holds",
    () => Deno.memoryUsage().rss,
  );
  if (projection !== null) {
    metrics.gauge(
      "commonplace_vectors_pending",
      "Memories that wait for their vectors",
      () => projection.pending(null),
    );
  }
  return metrics;
}
