/** Projects and their API keys, as shown by the management commands. */

import type { Permission } from "../contract/endpoint.ts";
import type { Scope } from "../contract/fields.ts";

/** Pattern for project names, which are unique and safe to use on a command line. */
export const PROJECT_NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Pattern for API keys: the service's prefix followed by URL-safe characters. */
export const API_KEY_PATTERN = /^cpl_[A-Za-z0-9_-]{1,200}$/;

/** Maximum length of an API key's name, in characters. */
export const MAX_KEY_NAME_CHARACTERS = 100;

/** The namespace of a single application. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

/** A project and the number of records in it. */
export interface ProjectSummary extends Project {
  readonly memories: number;
  readonly documents: number;
  readonly keys: number;
}

/** A key as listed, without the key itself. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  /** First characters of the key, just enough to recognize it. */
  readonly prefix: string;
  readonly permissions: readonly Permission[];
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** A newly created key. This is the only time it's shown. */
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
  /** Scopes that a connection can't leave. Keys have none. */
  readonly fixed?: Scope;
}

/** A management command error. The message is shown to the user. */
export class ManagementError extends Error {
  override readonly name = "ManagementError";
}
