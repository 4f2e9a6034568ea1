/** A menu that shows the current project and switches to another one. */

import { useProjectList } from "../../project.ts";
import { href, navigate, parseRoute, SERVICE_SEGMENT } from "../../route.ts";
import { Icon } from "./icon.tsx";

const ALL_PROJECTS = "*";

export function ProjectSwitcher({ current }: { current: string | undefined }) {
  const { projects } = useProjectList();
  const switchTo = (name: string) => {
    if (name === ALL_PROJECTS) return navigate(href(SERVICE_SEGMENT, "/projects"));
    // Open the same section in the other project, but not the same record, since it doesn't exist
    // there.
    const { project, path } = parseRoute(location.hash);
    const section = project === SERVICE_SEGMENT ? "/" : `/${path.split("/")[1] ?? ""}`;
    navigate(href(name, section));
  };
  return (
    <div class="switcher">
      <label class="sr-only" for="project">Project</label>
      <Icon name="project" />
      <select
        id="project"
        value={current ?? ALL_PROJECTS}
        onChange={(event) => {
          const name = event.currentTarget.value;
          if (name === ALL_PROJECTS) event.currentTarget.value = current ?? ALL_PROJECTS;
          switchTo(name);
        }}
      >
        {projects.map(({ id, name }) => (
          <option key={id} value={name} selected={name === current}>{name}</option>
        ))}
        <option value={ALL_PROJECTS} selected={current === undefined}>All projects…</option>
      </select>
      <Icon name="down" />
    </div>
  );
}
