/** Explains a project's health: what each number means, and whether it indicates a problem. */

import type { Health } from "../../schema.ts";
import { formatCount, formatPlural } from "../parts/data/number_format.ts";

/** The result of one check. */
export interface HealthCheck {
  readonly name: string;
  readonly summary: string;
  /** Whether this check contributes to the "degraded" status. */
  readonly isProblem: boolean;
  /** Whether the result is worth knowing even though it's not a problem. */
  readonly isNotable?: boolean;
}

/** Maximum age of a pending task. The service determines its status by the same limit. */
const MAX_QUEUE_AGE_MS = 5 * 60_000;

export function healthChecks(health: Health): HealthCheck[] {
  const { engine, operations, tasks, embedder, tagger, projections } = health;
  const engineOk = engine.configured && engine.initialized;
  return [
    {
      name: "Inference",
      summary: engineOk
        ? "The engine is ready"
        : engine.configured
        ? `The engine is unavailable${engine.code === null ? "" : `: ${engine.code}`}`
        : "No engine is configured",
      isProblem: !engineOk,
    },
    {
      name: "Tagger",
      summary: tagger.fault ??
        (tagger.model === null
          ? "Off, or not started yet (it starts with the first text to read)"
          : `${tagger.model}, computed ${RUNTIME_TEXTS[tagger.runtime ?? "native"]}`),
      isProblem: false,
      isNotable: tagger.fault !== null,
    },
    {
      name: "Texts set aside",
      summary: health.unread_texts === 0
        ? "None"
        : `${formatPlural(health.unread_texts, "text")} that inference couldn't read`,
      isProblem: false,
      isNotable: health.unread_texts > 0,
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
      summary: embedder.fault ?? embedder.advice ??
        (embedder.model === null
          ? "Off, or not started yet (it starts with the first text that needs it)"
          : `${embedder.model}, computed ${RUNTIME_TEXTS[embedder.runtime ?? "native"]}`),
      isProblem: embedder.fault !== null && embedder.model === null,
      isNotable: embedder.fault !== null || embedder.advice !== null,
    },
    {
      name: "Waiting for vectors",
      summary: projections.vector_pending === 0
        ? "None"
        : `${formatPlural(projections.vector_pending, "text")}${remainingTime(projections)}`,
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
      name: "Failed attempts in the last 24 hours",
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
  http: "by an HTTP endpoint",
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
    failed > 0 ? `${formatCount(failed)} failed` : "",
    isLate ? "the oldest has been waiting for more than 5 minutes" : "",
    pending > 0 ? `${formatCount(pending)} waiting or running` : "",
  ].filter((part) => part !== "");
  const summary = parts.length === 0 ? "Nothing waiting, nothing failed" : parts.join("; ");
  return {
    name,
    summary: summary[0]!.toUpperCase() + summary.slice(1),
    isProblem: failed > 0 || isLate,
  };
}

/** Returns the rate of embedding and the time left, to follow the number of texts. */
function remainingTime(projections: Health["projections"]): string {
  const { vectors_per_second: rate, vector_seconds_left: left } = projections;
  if (rate === null || left === null) return "";
  const time = left < 90
    ? formatPlural(left, "second")
    : formatPlural(Math.round(left / 60), "minute");
  return `, ${rate} per second, about ${time} left`;
}
