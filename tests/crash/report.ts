/** The report of a campaign. */

import { type ClientStats, noStats } from "./client.ts";

/** What a campaign has done so far. */
export interface CampaignReport extends ClientStats {
  cycles: number;
  killed: number;
  killedWhileStarting: number;
  killedWhileStopping: number;
  stopped: number;
  backups: number;
  backupsKilled: number;
  /** Imported snapshots. Each is exported again and compared. */
  imports: number;
  /** Vectors compared after restarts. */
  vectors: number;
  /** Derivations given up after three kills in a row, then retried. */
  retried: number;
  /** Failures of the database server, by kind. */
  databaseFaults: Record<string, number>;
  /** Requests refused during these. */
  refused: number;
  /** Requests through a balancer. */
  requests: number;
  /** Requests that were refused or cut off, by reason. */
  errors: Record<string, number>;
  /** The longest time without an acknowledged command in each round, by fault. */
  pauseMs: Record<string, number[]>;
  restartMs: number[];
}

/** Returns the report of a campaign that is about to start. */
export function emptyReport(): CampaignReport {
  return {
    ...noStats(),
    cycles: 0,
    killed: 0,
    killedWhileStarting: 0,
    killedWhileStopping: 0,
    stopped: 0,
    backups: 0,
    backupsKilled: 0,
    imports: 0,
    vectors: 0,
    retried: 0,
    databaseFaults: {},
    refused: 0,
    requests: 0,
    errors: {},
    pauseMs: {},
    restartMs: [],
  };
}

/** Adds one to a count. */
export function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Describes a report in one line. */
export function summarize(report: CampaignReport): string {
  const restarts = report.restartMs.toSorted((a, b) => a - b);
  const faults = Object.entries(report.databaseFaults).map(([fault, count]) => `${count} ${fault}`);
  return [
    `${report.acknowledged} acknowledged`,
    `in doubt ${report.inDoubtDone} done, ${report.inDoubtNotDone} not done`,
    `${report.replays} replays`,
    `${report.twins} twins`,
    `${report.searches} searches`,
    `${report.backups} backups complete, ${report.backupsKilled} killed`,
    `${report.imports} imports`,
    `${report.vectors} vectors`,
    `${report.retried} derivations retried`,
    `ends: ${report.killed} killed, ${report.killedWhileStarting} while starting, ` +
    `${report.killedWhileStopping} while stopping, ${report.stopped} stopped`,
    ...faults.length === 0
      ? []
      : [`database faults: ${faults.join(", ")}; ${report.refused} requests refused`],
    ...restarts.length === 0 ? [] : [
      `restart ${restarts[restarts.length >> 1]!.toFixed(0)} ms, at most ${
        restarts.at(-1)!.toFixed(0)
      }`,
    ],
  ].join("; ");
}
