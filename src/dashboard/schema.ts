/** What the dashboard's own endpoints answer: contracts between its server and its pages. */

import type { ActivityHour } from "../activity/schema.ts";
import type { Health } from "../health/schema.ts";
import type { ApiKey, CreatedKey, Project, ProjectSummary } from "../projects/schema.ts";

export type { ApiKey, CreatedKey, Health, Project, ProjectSummary };

/** A project with its switches. */
export interface ProjectSettings extends Project {
  readonly derivation: boolean;
}

/** The figures of a project. */
export interface Overview {
  readonly counts: {
    readonly memories: number;
    readonly documents: number;
    readonly chunks: number;
    readonly entities: number;
  };
  /** Since when activity is shown. */
  readonly since: string;
  /** Up to when: now. */
  readonly until: string;
  readonly activity: readonly ActivityHour[];
}

/** What runs here. */
export interface Instance {
  readonly version: string;
  readonly schema: number;
  readonly started_at: string;
  readonly checked_at: string;
  /** Bytes on the disk. */
  readonly database_bytes: number;
  readonly resident_bytes: number;
}

/** The health of everything. */
export interface InstanceHealth extends Instance {
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly health: Health;
  }[];
}
