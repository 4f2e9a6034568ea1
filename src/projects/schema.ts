/** Projects and their API keys, as the management commands show them. */

import type { Permission } from "../contract/endpoint.ts";

/** Pattern of project names. They are unique and safe on a command line. */
export const PROJECT_NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Pattern of API keys: the prefix of the service, then URL-safe characters. */
export const API_KEY_PATTERN = /^cpl_[A-Za-z0-9_-]{1,200}$/;

/** Namespace of one application. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

/** Project with the number of its records. */
export interface ProjectSummary extends Project {
  readonly memories: number;
  readonly documents: number;
  readonly keys: number;
}

/** Key as lists show it, without the key itself. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  /** First characters of the key, by which to recognize it. */
  readonly prefix: string;
  readonly permissions: readonly Permission[];
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** Key at its creation, the only time that it is shown. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly project_id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly created_at: string;
}

/** Identity and permissions of an authenticated request. */
export interface Principal {
  readonly keyId: string;
  readonly project: number;
  readonly projectId: string;
  readonly permissions: readonly Permission[];
}

/** Error of a management command. Its message is shown to the user. */
export class ManagementError extends Error {
  override readonly name = "ManagementError";
}
