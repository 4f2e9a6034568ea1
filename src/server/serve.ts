/** The running service: start, serve, drain, stop. */

import { BackupSchedule } from "../backup/schedule.ts";
import { openDashboard } from "../dashboard/door.ts";
import { WebhookDispatcher } from "../hosted/webhook_dispatcher.ts";
import { type AppDeps, createApp } from "../http/app.ts";
import { Metrics } from "../http/observe.ts";
import { type Log, stderrLog } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import { openMcp } from "../mcp/door.ts";
import { VERSION } from "../version.ts";
import { ConfigError, type ServerConfig } from "./config.ts";
import { UnderWay } from "./drain.ts";
import { endpointsOf } from "./endpoints.ts";
import { firstStart, warnOfKeys } from "./first_start.ts";
import { closeServices, openServices, type Services } from "./services.ts";
import { instanceFigures } from "./instance_figures.ts";
import { listen, urlOf } from "./listen.ts";
import { lockDataDirectory } from "./lock.ts";
import { forgetServer, noteServer } from "./running.ts";
import { BackgroundWork } from "./work.ts";
import { WriteBehind } from "./write_behind.ts";

/** How long requests that are under way may take once the service is told to stop. */
const DRAIN_MS = 10_000;

/** A service that accepts requests. */
export interface RunningServer {
  readonly url: string;
  /** Stops accepting, finishes what runs, writes everything out. */
  stop(): Promise<void>;
}

/** Prints one line for the person at the terminal, on standard output. */
type Print = (line: string) => void;

/**
 * Starts the service on a data directory of its own.
 *
 * @throws ConfigError when a server runs on the directory already, or the port can't be had; and
 * what opening the directory throws
 */
export async function startServer(config: ServerConfig, print: Print): Promise<RunningServer> {
  const unlock = await lockDataDirectory(config.data);
  forgetServer(config.data);
  const services = await openServices(config.data, config);
  const log = stderrLog(services.foundation.clock, config.logLevel);
  let state: "starting" | "ready" | "stopping" = "starting";
  const { app, closeMcp } = openApp(services, config, log, () => state);
  const underWay = new UnderWay();
  const port = openPort(
    config,
    log,
    (request, address) => underWay.track(app.fetch(request, { address })),
  );
  const url = urlOf(port.address);
  noteServer(config.data, { url, webhooksAllowPrivate: config.webhooksAllowPrivate ?? false });
  // After the port is taken: a first start that can't listen must not use up the only showing of
  // the key. Until then no key is known, and every request is refused.
  await showTheWayIn(services, config, log, url, print);
  const work = new BackgroundWork(services, log);
  const behind = new WriteBehind(services, log);
  const besides = [
    behind,
    ...backupsOf(services, config, log),
    ...webhooksOf(services, config, log),
  ];
  await work.start();
  for (const each of besides) each.start();
  state = "ready";
  print(`commonplace listening on ${url}`);
  log.info("started", { version: VERSION, url });

  return {
    url,
    async stop() {
      state = "stopping";
      work.ease();
      for (const each of besides) await each.stop();
      // New requests are refused by now. Those under way come first: Deno's own shutdown makes a
      // body unreadable that is still arriving (measured with 2.9.6).
      const patient = patience(DRAIN_MS);
      await Promise.race([Promise.all([underWay.idle(), work.finishTasks()]), patient]);
      await closeMcp();
      await Promise.race([port.shutdown(), patient]);
      await behind.finish();
      services.embedder?.close();
      await services.projection?.stop();
      await closeServices(services);
      unlock();
      log.info("stopped");
      log.flush();
    },
  };
}

/** @throws ConfigError that names the address */
function openPort(
  { host: hostname, port }: ServerConfig,
  log: Log,
  handler: Parameters<typeof listen>[2],
) {
  try {
    return listen({ hostname, port }, log, handler);
  } catch (error) {
    throw new ConfigError(
      `Can't listen on ${urlOf({ hostname, port })}: ${(error as Error).message}; ` +
        "--host and --port choose another address",
    );
  }
}

/** The app with its doors: the API, the dashboard, and MCP. */
function openApp(services: Services, config: ServerConfig, log: Log, state: AppDeps["state"]) {
  const endpoints = endpointsOf(services, config);
  const mcp = openMcp({ ...services, endpoints, log, version: VERSION });
  const dashboard = openDashboard({
    ...services,
    endpoints,
    password: config.dashboardPassword,
    instance: instanceFigures(services.foundation.clock, config.data),
  });
  const app = createApp({
    ...services,
    log,
    endpoints,
    doors: [dashboard, mcp.door],
    version: VERSION,
    metrics: config.metrics ? processMetrics(services) : null,
    state,
  });
  return { app, closeMcp: () => mcp.close() };
}

/** Prints the key and the link of a first start; warns when a later start has no use for a key. */
async function showTheWayIn(
  services: Services,
  { apiKey }: ServerConfig,
  log: Log,
  url: string,
  print: Print,
): Promise<void> {
  const first = await firstStart(services, apiKey);
  if (first === null) return await warnOfKeys(services, apiKey, log);
  if (first.apiKey !== null) print(`API key  ${first.apiKey}`);
  print(`Dashboard  ${url}/#signin=${first.signInToken}`);
}

function backupsOf({ foundation: { clock } }: Services, config: ServerConfig, log: Log) {
  if (config.backup === undefined) return [];
  const plan = { source: config.data, ...config.backup };
  return [new BackupSchedule(plan, { clock, timers: systemTimers, log })];
}

function webhooksOf({ foundation }: Services, config: ServerConfig, log: Log) {
  if (config.variant !== "hosted") return [];
  const allowPrivate = config.webhooksAllowPrivate ?? false;
  return [new WebhookDispatcher({ ...foundation, timers: systemTimers, log, allowPrivate })];
}

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, milliseconds)));
}

function processMetrics({ projection }: Services): Metrics {
  const metrics = new Metrics();
  metrics.gauge(
    "process_resident_memory_bytes",
    "Memory that the process holds",
    () => Deno.memoryUsage().rss,
  );
  if (projection !== null) {
    metrics.gauge(
      "commonplace_vectors_pending",
      "Memories and passages that wait for their vectors",
      () => projection.pending(null),
    );
  }
  return metrics;
}
