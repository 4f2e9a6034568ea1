/** The rules of projects: names, and what the namespace of one application is. */

import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Reader, Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import { NO_PROJECT } from "../tasks/maintenance.ts";
import type { PurgePayload } from "./purge.ts";
import {
  ManagementError,
  type Project,
  PROJECT_NAME_PATTERN,
  type ProjectSummary,
} from "./schema.ts";

/** A project with its number inside the database. */
export interface NumberedProject extends Project {
  readonly number: number;
}

/** Called when derived views of a project were switched on or off. */
export type OnDerivationChange = (tx: Tx, project: number, on: boolean) => Promise<void>;

/** The service of the projects slice. */
export class ProjectService {
  readonly #appContext: AppContext;
  readonly #onDerivationChange: OnDerivationChange;

  /** @param onDerivationChange what else belongs to switching derived views, in the same unit of work */
  constructor(
    appContext: AppContext,
    onDerivationChange: OnDerivationChange = () => Promise.resolve(),
  ) {
    this.#appContext = appContext;
    this.#onDerivationChange = onDerivationChange;
  }

  /** @throws ManagementError when the name is taken or no name */
  async create(tx: Tx, name: string): Promise<NumberedProject> {
    if (!PROJECT_NAME_PATTERN.test(name)) {
      throw new ManagementError(
        `"${name}" is no project name: use 1 to 64 of a-z, 0-9, ".", "_", "-", ` +
          "beginning with a letter or digit",
      );
    }
    if (await this.#findByName(tx, name) !== undefined) {
      throw new ManagementError(`Project "${name}" exists already`);
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

  /** @throws ManagementError when there is none of that name */
  async getByName(db: Reader, name: string): Promise<NumberedProject> {
    const project = await this.#findByName(db, name);
    if (project === undefined) throw new ManagementError(`No project "${name}"`);
    return project;
  }

  /** Undefined when there is none of that id. */
  findById(id: string): Promise<NumberedProject & { readonly derivation: 0 | 1 } | undefined> {
    return this.#appContext.store.queryOne(sql`select number, id, name, created_at, derivation
      from projects where id = ${id} and deleted_at is null`);
  }

  /**
   * Switches the derived views of a project on or off.
   *
   * @throws ManagementError when there is no project of that name
   */
  async setDerivation(tx: Tx, name: string, on: boolean): Promise<NumberedProject> {
    const project = await this.getByName(tx, name);
    const changed = await tx.run(sql`update projects set derivation = ${on}
      where number = ${project.number} and derivation <> ${on}`);
    if (changed > 0) await this.#onDerivationChange(tx, project.number, on);
    return project;
  }

  /** Oldest first, with what each holds. */
  list(db: Reader): Promise<ProjectSummary[]> {
    return db.all<ProjectSummary>(sql`select id, name, created_at,
        coalesce((select total_memories from scope_totals
          where project = number and type = 'project' and scope_totals.id = ''), 0) as memories,
        coalesce((select sources from document_totals where project = number), 0) as documents,
        (select count(*) from api_keys where project = number) as keys
      from projects where deleted_at is null order by number`);
  }

  /**
   * Closes a project to everybody, frees its name, and queues its purge; answers the id of the
   * purge's task, which belongs to no project.
   */
  async delete(tx: Tx, project: NumberedProject): Promise<string> {
    const at = timestamp(this.#appContext.clock.now());
    // "~" is in no name that a person can give.
    await tx.run(sql`update projects set deleted_at = ${at}, name = ${`~${project.id}`}
      where number = ${project.number}`);
    await tx.run(sql`delete from api_keys where project = ${project.number}`);
    // Whoever works for the project now loses its lease, and can't write any more.
    await tx.run(sql`delete from tasks
      where project = ${project.number} and status = 'processing'`);
    return await enqueueTask(tx, this.#appContext, NO_PROJECT, {
      kind: "purge",
      payload: { project: project.number, project_id: project.id } satisfies PurgePayload,
    });
  }

  async isEmpty(db: Reader): Promise<boolean> {
    return await db.first(sql`select 1 from projects limit 1`) === undefined;
  }

  #findByName(db: Reader, name: string): Promise<NumberedProject | undefined> {
    return db.first<NumberedProject>(sql`select number, id, name, created_at from projects
      where name = ${name} and deleted_at is null`);
  }
}
