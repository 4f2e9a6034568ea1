/** A project's health in words: what each figure means, and whether it is a reason to worry. */

import type { Health } from "../../schema.ts";
import { formatCount, formatPlural } from "../parts/data/number_format.ts";

/** One thing that was looked at. */
export interface HealthCheck {
  readonly name: string;
  readonly summary: string;
  /** Part of why the project counts as degraded. */
  readonly isProblem: boolean;
  /** Worth knowing, and no reason to worry. */
  readonly isNotable?: boolean;
}

/** As the service itself judges: five minutes. */
const MAX_QUEUE_AGE_MS = 5 * 60_000;

export function healthChecks(health: Health): HealthCheck[] {
  const { engine, operations, tasks, embedder, projections } = health;
  const engineOk = engine.configured && engine.initialized;
  return [
    {
      name: "Inference",
      summary: engineOk
        ? "The engine is ready"
        : engine.configured
        ? `The engine can't be used${engine.code === null ? "" : `: ${engine.code}`}`
        : "No engine is configured",
      isProblem: !engineOk,
    },
    queueCheck(
      "Operations",
      operations.pending,
      operations.failed,
      operations.oldest_pending_at,
      health,
    ),
    queueCheck("Background work", tasks.pending, tasks.dead, tasks.oldest_pending_at, health),
    {
      name: "Search by meaning",
      summary: embedder.fault ??
        (embedder.model === null
          ? "Starts with the first text that needs it, or is off"
          : `${embedder.model}, computed ${RUNTIME_TEXTS[embedder.runtime ?? "native"]}`),
      isProblem: embedder.fault !== null && embedder.model === null,
      isNotable: embedder.fault !== null,
    },
    {
      name: "Waiting for vectors",
      summary: projections.vector_pending === 0
        ? "Nothing waits"
        : formatPlural(projections.vector_pending, "text"),
      isProblem: false,
    },
    {
      name: "Derived views",
      summary: projections.derived_pending === 0
        ? "Up to date"
        : `${formatPlural(projections.derived_pending, "change")} behind`,
      isProblem: false,
    },
    {
      name: "Attempts that failed in the last 24 hours",
      summary: health.warnings.last_24h === 0
        ? "None"
        : formatPlural(health.warnings.last_24h, "attempt"),
      isProblem: false,
      isNotable: health.warnings.last_24h > 0,
    },
  ];
}

const RUNTIME_TEXTS = {
  native: "natively",
  wasm: "in WebAssembly",
  static: "from a static table",
  http: "by an endpoint",
} as const;

function queueCheck(
  name: string,
  pending: number,
  failed: number,
  oldest: string | null,
  { checked_at }: Health,
): HealthCheck {
  const isLate = oldest !== null && Date.parse(checked_at) - Date.parse(oldest) >= MAX_QUEUE_AGE_MS;
  const parts = [
    failed > 0 ? `${formatCount(failed)} failed for good` : "",
    isLate ? "the oldest has waited for more than 5 minutes" : "",
    pending > 0 ? `${formatCount(pending)} waiting or running` : "",
  ].filter((part) => part !== "");
  const summary = parts.length === 0 ? "Nothing waits, nothing has failed" : parts.join("; ");
  return {
    name,
    summary: summary[0]!.toUpperCase() + summary.slice(1),
    isProblem: failed > 0 || isLate,
  };
}
