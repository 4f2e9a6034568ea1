/** Health of the service and its projects, for the health page. */

import type { AppContext } from "../contract/app_context.ts";
import type { HealthService } from "../health/service.ts";
import type { NumberedProject, ProjectService } from "../projects/service.ts";
import { rankUnfinished } from "../tasks/repository.ts";
import type { Instance, InstanceHealth } from "./schema.ts";

/** Number of projects that are checked. The page refreshes every few seconds. */
const MAX_PROJECTS = 50;

/** What the health page needs. */
export interface InstanceHealthDeps {
  readonly appContext: AppContext;
  readonly projects: ProjectService;
  readonly health: HealthService;
  /** Returns this process's version, start time and size. */
  readonly instance: () => Instance | Promise<Instance>;
}

/**
 * Checks the service and its projects. If there are many, checks those with failed tasks first, then
 * those with unfinished ones.
 */
export async function readInstanceHealth(deps: InstanceHealthDeps): Promise<InstanceHealth> {
  const { appContext: { store }, projects, health, instance } = deps;
  const all = await store.read((db) => projects.listNumbered(db));
  const selected = all.length <= MAX_PROJECTS
    ? all
    : selectFirst(all, await store.read(rankUnfinished));
  const checked = [];
  for (const { number, id, name } of selected) {
    checked.push({ id, name, health: await health.check(number) });
  }
  return { ...await instance(), project_count: all.length, projects: checked };
}

function selectFirst(
  all: readonly NumberedProject[],
  ranks: ReadonlyMap<number, number>,
): NumberedProject[] {
  const rankOf = ({ number }: NumberedProject) => ranks.get(number) ?? 0;
  return all.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(0, MAX_PROJECTS);
}
