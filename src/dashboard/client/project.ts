/** The current project and the list of all projects, available to every page. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ProjectSummary } from "../schema.ts";
import type { Query } from "./api.ts";
import { ProjectApi } from "./api.ts";
import { href } from "./route.ts";

/** The current page's project. */
export interface CurrentProject {
  readonly id: string;
  readonly name: string;
  readonly api: ProjectApi;
  /** Returns a page address in this project: `link("/memories", {q: "piano"})`. */
  link(path: string, query?: Query): string;
}

/** Returns the project, along with its API and a link builder. */
export function toCurrentProject(
  { id, name }: Pick<ProjectSummary, "id" | "name">,
): CurrentProject {
  return {
    id,
    name,
    api: new ProjectApi(id),
    link: (path, query) => href(name, path, query),
  };
}

/** Provides the current project, or null if there is none. */
export const CurrentProjectContext = createContext<CurrentProject | null>(null);

/**
 * Returns the current project. Only for pages that belong to a project.
 *
 * @throws Error if there is no current project
 */
export function useProject(): CurrentProject {
  const project = useContext(CurrentProjectContext);
  if (project === null) throw new Error("useProject() is only available on the pages of a project");
  return project;
}

/** All projects, with a function to reload them. */
export interface ProjectList {
  readonly projects: readonly ProjectSummary[];
  reload(): void;
}

/** Makes the project list available to all pages. */
export const ProjectListContext = createContext<ProjectList>({ projects: [], reload: () => {} });

/** Returns the list of all projects. */
export function useProjectList(): ProjectList {
  return useContext(ProjectListContext);
}
