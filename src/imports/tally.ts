/** Counts what an import finds and does. The counts are its report. */

import type { ImportStep } from "./reading.ts";
import type { ImportReport } from "./report.ts";

/** Maximum number of records that were set aside to list in a report. */
const MAX_LISTED = 50;

/** Longest reason to list, in characters. */
const MAX_REASON_CHARACTERS = 300;

/** What happened to the records of one step, by kind. */
export interface StepOutcome {
  readonly memories: number;
  readonly documents: number;
  readonly inferred_adds: number;
}

/** A report to begin with. */
export function emptyReport(format: string): ImportReport {
  return {
    format,
    memories: { found: 0, added: 0, unchanged: 0 },
    documents: { found: 0, added: 0, unchanged: 0 },
    inferred_adds: { found: 0, added: 0, unchanged: 0 },
    set_aside: { count: 0, first: [] },
    not_carried: {},
    cut: {},
  };
}

/** Adds a step to a report. */
export function tallied(report: ImportReport, step: ImportStep): ImportReport {
  if (step.kind === "set_aside") {
    const { count, first } = report.set_aside;
    const reason = step.reason.slice(0, MAX_REASON_CHARACTERS).toWellFormed();
    const where = step.where.slice(0, MAX_REASON_CHARACTERS).toWellFormed();
    const listed = first.length < MAX_LISTED ? [...first, { where, reason }] : first;
    return { ...report, set_aside: { count: count + 1, first: listed } };
  }
  if (step.kind === "not_carried") {
    return { ...report, not_carried: addTo(report.not_carried, step.what, step.count) };
  }
  const { memories, documents, adds, cuts } = step.records;
  return {
    ...report,
    memories: found(report.memories, memories.length),
    documents: found(report.documents, documents.length),
    inferred_adds: found(report.inferred_adds, adds.length),
    cut: cuts.reduce((all, what) => addTo(all, what, 1), report.cut),
  };
}

/** Records how many of the records found so far were new. The rest is unchanged. */
export function withAdded(report: ImportReport, added: StepOutcome): ImportReport {
  return {
    ...report,
    memories: settle(report.memories, added.memories),
    documents: settle(report.documents, added.documents),
    inferred_adds: settle(report.inferred_adds, added.inferred_adds),
  };
}

type Count = ImportReport["memories"];

function found(count: Count, more: number): Count {
  return { ...count, found: count.found + more };
}

function settle(count: Count, more: number): Count {
  const added = count.added + more;
  return { ...count, added, unchanged: count.found - added };
}

function addTo(counts: Readonly<Record<string, number>>, what: string, count: number) {
  return { ...counts, [what]: (counts[what] ?? 0) + count };
}
