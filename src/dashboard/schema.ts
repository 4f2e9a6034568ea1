/** Responses from dashboard-only endpoints, shared by the server and the pages. */

import type { ActivityHour } from "../activity/schema.ts";
import type { RedirectKind } from "../connections/redirect_uris.ts";
import type { AuditEntry, Connection } from "../connections/schema.ts";
import type { Permission } from "../contract/endpoint.ts";
import type { Health } from "../health/schema.ts";
import type { ApiKey, CreatedKey, Project, ProjectSummary } from "../projects/schema.ts";
import type { Member } from "../store/membership.ts";

export type { ApiKey, AuditEntry, Connection, CreatedKey, Health, Project, ProjectSummary };

/** What a client asks for, as shown on the consent page. */
export interface ConsentRequest {
  readonly client: {
    readonly id: string;
    readonly name: string;
    /** Whether a connection of this client was approved before. */
    readonly known: boolean;
  };
  readonly redirect: {
    readonly uri: string;
    readonly kind: RedirectKind;
    /** Host of the address, possibly empty for an app. */
    readonly host: string;
  };
  readonly permissions: readonly Permission[];
  readonly resource: string;
}

/** A project and its settings. */
export interface ProjectSettings extends Project {
  readonly derivation: boolean;
}

/** A project's counts and activity. */
export interface Overview {
  readonly counts: {
    readonly memories: number;
    readonly documents: number;
    readonly chunks: number;
    readonly entities: number;
  };
  /** Start of the activity period. */
  readonly since: string;
  /** End of the activity period, i.e. the time of the request. */
  readonly until: string;
  readonly activity: readonly ActivityHour[];
}

/** The running service. */
export interface Instance {
  readonly version: string;
  readonly schema: number;
  readonly started_at: string;
  readonly checked_at: string;
  /** Database size on disk, in bytes. */
  readonly database_bytes: number;
  readonly resident_bytes: number;
  /** Processes of the service on one PostgreSQL database. Empty on SQLite. */
  readonly processes: readonly Omit<Member, "kind">[];
}

/** Health of the service and its projects. */
export interface InstanceHealth extends Instance {
  /** Number of all projects. */
  readonly project_count: number;
  /**
   * At most 50 projects: if there are more, first those with failed work, then those with pending
   * work.
   */
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly health: Health;
  }[];
}

/** A client that can be connected. */
export interface ConnectableClient {
  readonly id: string;
  readonly title: string;
  /** Where its configuration file is, by operating system. */
  readonly files: Readonly<Record<"linux" | "darwin" | "windows", string>>;
}

/** How to connect a client, with a key that is shown only now. */
export interface ConnectInstructions {
  readonly key_id: string;
  /** Content of the configuration file. */
  readonly text: string;
  /** A command of the client that does the same, or null if it has none. */
  readonly command: string | null;
  /** A link that opens the client, or null if it has none. */
  readonly link: string | null;
  /** What to do afterwards. */
  readonly next: string;
}
