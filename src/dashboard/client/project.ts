/** The project that one is in, for every page that shows something of it. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ProjectSummary } from "../schema.ts";
import type { Query } from "./api.ts";
import { ProjectApi } from "./api.ts";
import { href } from "./route.ts";

/** What a page knows of where it is. */
export interface CurrentProject {
  readonly id: string;
  readonly name: string;
  readonly api: ProjectApi;
  /** The address of a page of this project: `link("/memories", {q: "piano"})`. */
  link(path: string, query?: Query): string;
}

/** Makes a place of a project. */
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

/** Holds the place of the page; null where there is no project. */
export const CurrentProjectContext = createContext<CurrentProject | null>(null);

/** The project of the page. Only for pages that belong to one. */
export function useProject(): CurrentProject {
  const project = useContext(CurrentProjectContext);
  if (project === null) throw new Error("This page belongs to no project");
  return project;
}

/** All projects, and how to look for them again. */
export interface ProjectList {
  readonly projects: readonly ProjectSummary[];
  reload(): void;
}

/** Holds the projects for every page. */
export const ProjectListContext = createContext<ProjectList>({ projects: [], reload: () => {} });

/** All projects. */
export function useProjectList(): ProjectList {
  return useContext(ProjectListContext);
}
