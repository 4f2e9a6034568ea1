/**
 * Creates, lists and revokes API keys. A key is shown once, at creation; only its hash is stored.
 * Revocation takes effect immediately.
 */

import { Buffer } from "node:buffer";
import sql from "sql-template-tag";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/hash.ts";
import { LastUsed } from "../kernel/caches/last_used.ts";
import type { Reader, Tx } from "../store/store.ts";
import {
  API_KEY_PATTERN,
  type ApiKey,
  type CreatedKey,
  ManagementError,
  MAX_KEY_NAME_CHARACTERS,
  type Principal,
} from "./schema.ts";
import type { NumberedProject } from "./service.ts";

const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

/** Number of characters shown in lists: enough to recognize a key, too few to help guess it. */
const PREFIX_CHARACTERS = 8;

/** Options for a new key. */
export interface NewKey {
  readonly name?: string;
  /** Defaults to all permissions. */
  readonly permissions?: readonly string[];
  /** The key itself. Defaults to a random one. */
  readonly key?: string;
}

/** A key as stored. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  /** Number of the key's project. */
  readonly project: number;
  readonly permissions: readonly Permission[];
}

/** Service of API keys. */
export class KeyService {
  readonly #appContext: AppContext;
  readonly #lastUsed = new LastUsed();

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /**
   * Creates a key.
   *
   * @throws ManagementError if a permission is unknown, the name is too long, or the key is malformed
   *   or already exists
   */
  async create(tx: Tx, project: NumberedProject, options: NewKey): Promise<CreatedKey> {
    const permissions = validatePermissions(options.permissions ?? ALL_PERMISSIONS);
    const name = options.name ?? "";
    if (name.length > MAX_KEY_NAME_CHARACTERS) {
      throw new ManagementError(
        `The name of a key must have at most ${MAX_KEY_NAME_CHARACTERS} characters`,
      );
    }
    const key = options.key ?? generateKey();
    if (!API_KEY_PATTERN.test(key)) {
      throw new ManagementError(
        'COMMONPLACE_API_KEY must be "cpl_" and 1 to 200 letters, digits, "_" or "-"',
      );
    }
    const created: CreatedKey = {
      id: this.#appContext.ids.next("key"),
      key,
      project_id: project.id,
      name,
      permissions,
      created_at: timestamp(this.#appContext.clock.now()),
    };
    if (await tx.first(principalQuery(key)) !== undefined) {
      throw new ManagementError("This API key already exists");
    }
    await tx.run(sql`insert into api_keys
      (id, project, name, prefix, hash, permissions, created_at)
      values (${created.id}, ${project.number}, ${created.name},
       ${key.slice(0, PREFIX_CHARACTERS)}, ${sha256(key)}, ${JSON.stringify(permissions)},
       ${created.created_at})`);
    return created;
  }

  /** Returns the keys of a project, oldest first. */
  async list(db: Reader, project: NumberedProject): Promise<ApiKey[]> {
    const rows = await db.all<Omit<ApiKey, "permissions"> & { permissions: string }>(sql`
      select id, name, ${project.id} as project_id, prefix, permissions, created_at, last_used_at
      from api_keys where project = ${project.number} order by id`);
    return rows.map((row) => ({ ...row, permissions: JSON.parse(row.permissions) }));
  }

  /**
   * Deletes a key.
   *
   * @throws ManagementError if the key doesn't exist
   */
  async revoke(tx: Tx, id: string): Promise<void> {
    if (await tx.run(sql`delete from api_keys where id = ${id}`) === 0) {
      throw new ManagementError(`No API key "${id}"`);
    }
  }

  /**
   * Returns the principal for a key, or undefined if the key is unknown or revoked, or its project
   * was deleted.
   */
  async findPrincipal(key: string): Promise<Principal | undefined> {
    if (!API_KEY_PATTERN.test(key)) return undefined;
    const row = await this.#appContext.store.queryOne<PrincipalRow>(principalQuery(key));
    if (row === undefined) return undefined;
    this.#lastUsed.record(row.keyId, this.#appContext.clock.now());
    return { ...row, permissions: JSON.parse(row.permissions) };
  }

  /** Checks whether a key belongs to a project. Doesn't count as a use of the key. */
  async isKnown(db: Reader, key: string): Promise<boolean> {
    return await db.first(principalQuery(key)) !== undefined;
  }

  /** Returns a key's record, or undefined if it's unknown. Doesn't count as a use of the key. */
  async findRecord(db: Reader, key: string): Promise<KeyRecord | undefined> {
    const row = await db.first<Omit<KeyRecord, "permissions"> & { permissions: string }>(sql`
      select id, name, project, permissions from api_keys where hash = ${sha256(key)}`);
    return row && { ...row, permissions: JSON.parse(row.permissions) };
  }

  /** Returns the ids of the keys with a name, of all projects, oldest first. */
  async findByName(db: Reader, name: string): Promise<string[]> {
    const rows = await db.all<{ id: string }>(
      sql`select id from api_keys where name = ${name} order by id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Checks whether any key exists. */
  async hasAny(db: Reader): Promise<boolean> {
    return await db.first(sql`select 1 from api_keys limit 1`) !== undefined;
  }

  /** Writes last-used times changed since the previous call. */
  async flush(): Promise<void> {
    await this.#lastUsed.flush((due) =>
      this.#appContext.store.write("rows", async (tx) => {
        for (const [id, at] of due) {
          await tx.run(sql`update api_keys set last_used_at = ${timestamp(at)} where id = ${id}`);
        }
      })
    );
  }
}

/** Principal as stored. Permissions are JSON text. */
type PrincipalRow = Omit<Principal, "permissions"> & { readonly permissions: string };

// The index compares hashes, so timing can leak something about a hash but nothing about a key.
function principalQuery(key: string) {
  return sql`select api_keys.id as "keyId", projects.number as project,
      projects.id as "projectId", permissions
    from api_keys join projects on projects.number = api_keys.project
    where hash = ${sha256(key)} and deleted_at is null`;
}

/** Returns a new key with 256 random bits. */
function generateKey(): string {
  return `cpl_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;
}

function validatePermissions(names: readonly string[]): Permission[] {
  const unknown = names.find((name) => !Object.hasOwn(PERMISSIONS, name));
  if (unknown !== undefined || names.length === 0) {
    throw new ManagementError(
      `"${unknown ?? ""}" is not a permission; use one or more of ${ALL_PERMISSIONS.join(", ")}`,
    );
  }
  return ALL_PERMISSIONS.filter((name) => names.includes(name));
}
