/** A project's health in words: what each figure means, and whether it is a reason to worry. */

import type { Health } from "../../schema.ts";
import { count, plural } from "../parts/figures.ts";

/** One thing that was looked at. */
export interface Reason {
  readonly name: string;
  readonly words: string;
  /** Part of why the project counts as degraded. */
  readonly bad: boolean;
  /** Worth knowing, and no reason to worry. */
  readonly note?: boolean;
}

/** As the service itself judges: five minutes. */
const TOO_LONG_MS = 5 * 60_000;

export function reasonsOf(health: Health): Reason[] {
  const { engine, operations, tasks, embedder, projections } = health;
  const engineOk = engine.configured && engine.initialized;
  return [
    {
      name: "Inference",
      words: engineOk
        ? "The engine is ready"
        : engine.configured
        ? `The engine can't be used${engine.code === null ? "" : `: ${engine.code}`}`
        : "No engine is configured",
      bad: !engineOk,
    },
    queue(
      "Operations",
      operations.pending,
      operations.failed,
      operations.oldest_pending_at,
      health,
    ),
    queue("Background work", tasks.pending, tasks.dead, tasks.oldest_pending_at, health),
    {
      name: "Search by meaning",
      words: embedder.fault ??
        (embedder.model === null
          ? "Starts with the first text that needs it, or is off"
          : `${embedder.model}, computed ${RUNTIMES[embedder.runtime ?? "native"]}`),
      bad: embedder.fault !== null && embedder.model === null,
      note: embedder.fault !== null,
    },
    {
      name: "Waiting for vectors",
      words: projections.vector_pending === 0
        ? "Nothing waits"
        : plural(projections.vector_pending, "text"),
      bad: false,
    },
    {
      name: "Derived views",
      words: projections.derived_pending === 0
        ? "Up to date"
        : `${plural(projections.derived_pending, "change")} behind`,
      bad: false,
    },
    {
      name: "Attempts that failed in the last 24 hours",
      words: health.warnings.last_24h === 0 ? "None" : plural(health.warnings.last_24h, "attempt"),
      bad: false,
      note: health.warnings.last_24h > 0,
    },
  ];
}

const RUNTIMES = {
  native: "natively",
  wasm: "in WebAssembly",
  static: "from a static table",
  http: "by an endpoint",
} as const;

function queue(
  name: string,
  pending: number,
  failed: number,
  oldest: string | null,
  { checked_at }: Health,
): Reason {
  const late = oldest !== null && Date.parse(checked_at) - Date.parse(oldest) >= TOO_LONG_MS;
  const parts = [
    failed > 0 ? `${count(failed)} failed for good` : "",
    late ? "the oldest has waited for more than 5 minutes" : "",
    pending > 0 ? `${count(pending)} waiting or running` : "",
  ].filter((part) => part !== "");
  const words = parts.length === 0 ? "Nothing waits, nothing has failed" : parts.join("; ");
  return { name, words: words[0]!.toUpperCase() + words.slice(1), bad: failed > 0 || late };
}
