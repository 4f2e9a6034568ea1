/** The project that one is in, and a way into the others. */

import { useProjectList } from "../project.ts";
import { go, href, routeOf, SERVICE } from "../route.ts";
import { Icon } from "./icon.tsx";

const ALL = "*";

export function ProjectSwitcher({ current }: { current: string | undefined }) {
  const { projects } = useProjectList();
  const enter = (name: string) => {
    if (name === ALL) return go(href(SERVICE, "/projects"));
    // The same page of the other project; one record of this project isn't in that one.
    const { place, path } = routeOf(location.hash);
    const section = place === SERVICE ? "/" : `/${path.split("/")[1] ?? ""}`;
    go(href(name, section));
  };
  return (
    <div class="switcher">
      <label class="sr-only" for="project">Project</label>
      <Icon name="project" />
      <select
        id="project"
        value={current ?? ALL}
        onChange={(event) => {
          const name = event.currentTarget.value;
          if (name === ALL) event.currentTarget.value = current ?? ALL;
          enter(name);
        }}
      >
        {projects.map(({ id, name }) => (
          <option key={id} value={name} selected={name === current}>{name}</option>
        ))}
        <option value={ALL} selected={current === undefined}>All projects…</option>
      </select>
      <Icon name="down" />
    </div>
  );
}
