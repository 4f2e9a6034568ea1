/** Projects and their API keys, as management shows them. */

import type { Permission } from "../contract/endpoint.ts";

/** Names of projects: unique, and fit for a command line. */
export const PROJECT_NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** What an API key looks like: the service's prefix, then URL-safe characters. */
export const API_KEY_PATTERN = /^cpl_[A-Za-z0-9_-]{1,200}$/;

/** The namespace of one application. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

/** A project with what it holds. */
export interface ProjectSummary extends Project {
  readonly memories: number;
  readonly documents: number;
  readonly keys: number;
}

/** A key as it is listed: never the key itself. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  /** The first characters of the key, to tell one from another. */
  readonly prefix: string;
  readonly permissions: readonly Permission[];
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** A key at its creation, the only time that it is shown. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly project_id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly created_at: string;
}

/** What a request may do once its key is known. */
export interface Principal {
  readonly keyId: string;
  readonly project: number;
  readonly projectId: string;
  readonly permissions: readonly Permission[];
}

/** A management request that can't be carried out; the message is for the person who made it. */
export class ManagementError extends Error {
  override readonly name = "ManagementError";
}
