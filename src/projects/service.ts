/** Manages projects, the namespaces of applications. */

import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { texts } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { allowed, TASK_KINDS } from "../tasks/states.ts";
import { enqueuePurge } from "./purge.ts";
import {
  ManagementError,
  type Project,
  PROJECT_NAME_PATTERN,
  type ProjectSummary,
} from "./schema.ts";

/** A project and its number in the database. */
export interface NumberedProject extends Project {
  readonly number: number;
}

/**
 * Maximum number of waiting tasks that are deleted together with their project. It takes 30 µs each,
 * in which no one else can write.
 */
const MAX_TASKS_DELETED_AT_ONCE = 10_000;

/** Called after a project's derived views were switched on or off. */
export type OnDerivationChange = (tx: Tx, project: number, on: boolean) => Promise<void>;

/** Service of the projects module. */
export class ProjectService {
  readonly #appContext: AppContext;
  readonly #onDerivationChange: OnDerivationChange;

  /**
   * @param onDerivationChange called in the same unit of work that switches derived views on or off
   */
  constructor(
    appContext: AppContext,
    onDerivationChange: OnDerivationChange = () => Promise.resolve(),
  ) {
    this.#appContext = appContext;
    this.#onDerivationChange = onDerivationChange;
  }

  /**
   * Creates a project.
   *
   * @throws ManagementError if the name is invalid or already exists
   */
  async create(tx: Tx, name: string): Promise<NumberedProject> {
    if (!PROJECT_NAME_PATTERN.test(name)) {
      throw new ManagementError(
        `"${name}" is not a valid project name: use 1 to 64 of a-z, 0-9, ".", "_", "-", ` +
          "beginning with a letter or digit",
      );
    }
    if (await this.#findByName(tx, name) !== undefined) {
      throw new ManagementError(`Project "${name}" already exists`);
    }
    const project = {
      id: this.#appContext.ids.next("proj"),
      name,
      created_at: timestamp(this.#appContext.clock.now()),
    };
    const row = await tx.first<{ number: number }>(sql`insert into projects (id, name, created_at)
      values (${project.id}, ${project.name}, ${project.created_at}) returning number`);
    return { ...project, number: row!.number };
  }

  /**
   * Returns a project by name.
   *
   * @throws ManagementError if the project doesn't exist
   */
  async getByName(db: Reader, name: string): Promise<NumberedProject> {
    const project = await this.#findByName(db, name);
    if (project === undefined) throw new ManagementError(`No project "${name}"`);
    return project;
  }

  /** Returns a project by id, or undefined if there isn't one. */
  findById(id: string): Promise<NumberedProject & { readonly derivation: 0 | 1 } | undefined> {
    return this.#appContext.store.queryOne(sql`select number, id, name, created_at, derivation
      from projects where id = ${id} and deleted_at is null`);
  }

  /**
   * Switches a project's derived views on or off.
   *
   * @throws ManagementError if the project doesn't exist
   */
  async setDerivation(tx: Tx, name: string, on: boolean): Promise<NumberedProject> {
    const project = await this.getByName(tx, name);
    const changed = await tx.run(sql`update projects set derivation = ${on}
      where number = ${project.number} and derivation <> ${on}`);
    if (changed > 0) await this.#onDerivationChange(tx, project.number, on);
    return project;
  }

  /** Returns all projects, oldest first. */
  listNumbered(db: Reader): Promise<NumberedProject[]> {
    return db.all<NumberedProject>(sql`select number, id, name, created_at from projects
      where deleted_at is null order by number`);
  }

  /** Returns all projects, oldest first, with record counts. */
  list(db: Reader): Promise<ProjectSummary[]> {
    return db.all<ProjectSummary>(sql`select id, name, created_at,
        coalesce((select total_memories from scope_totals
          where project = number and type = 'project' and scope_totals.id = ''), 0) as memories,
        coalesce((select sources from document_totals where project = number), 0) as documents,
        (select count(*) from api_keys where project = number) as keys
      from projects where deleted_at is null order by number`);
  }

  /**
   * Disables a project, releases its name and queues its purge. Returns the id of the purge task,
   * which doesn't belong to any project.
   */
  async delete(tx: Tx, project: NumberedProject): Promise<string> {
    const at = timestamp(this.#appContext.clock.now());
    // User-defined names can't contain "~".
    await tx.run(sql`update projects set deleted_at = ${at}, name = ${`~${project.id}`}
      where number = ${project.number}`);
    await tx.run(sql`delete from api_keys where project = ${project.number}`);
    // Tasks that wait don't begin: a purge can have to wait for another one, and inference would send
    // texts to a provider until then. If there are more, the purge deletes the rest. Workers running
    // the others lose their leases and can't write any more. Leases are in an index of their own.
    await tx.run(sql`delete from tasks where seq in (select seq from tasks
      where project = ${project.number} and kind in ${texts(TASK_KINDS)} and ${allowed("claim")}
      limit ${MAX_TASKS_DELETED_AT_ONCE})`);
    await tx.run(sql`delete from tasks where +project = ${project.number}
      and lease_expires_at > '' and status in ('processing')`);
    return await enqueuePurge(tx, this.#appContext, project);
  }

  /** Checks whether there are no projects at all, including deleted ones. */
  async isEmpty(db: Reader): Promise<boolean> {
    return await db.first(sql`select 1 from projects limit 1`) === undefined;
  }

  #findByName(db: Reader, name: string): Promise<NumberedProject | undefined> {
    return db.first<NumberedProject>(sql`select number, id, name, created_at from projects
      where name = ${name} and deleted_at is null`);
  }
}

/** Returns how many memories and documents a project has. */
export async function countRecords(
  db: Reader,
  project: number,
): Promise<{ readonly memories: number; readonly documents: number }> {
  return (await db.first<{ memories: number; documents: number }>(sql`select
    coalesce((select total_memories from scope_totals
      where project = ${project} and type = 'project' and id = ''), 0) as memories,
    coalesce((select sources from document_totals where project = ${project}), 0) as documents`))!;
}
