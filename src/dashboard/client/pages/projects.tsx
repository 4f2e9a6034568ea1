/** All projects, and a new one. */

import { useState } from "preact/hooks";
import type { Project, ProjectSummary } from "../../schema.ts";
import { call } from "../api.ts";
import { useCommand } from "../live.ts";
import { FormDialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { TextField } from "../parts/fields.tsx";
import { count } from "../parts/figures.ts";
import { Icon } from "../parts/icon.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { useToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { useProjectList } from "../project.ts";
import { go, href } from "../route.ts";

const COLUMNS: readonly Column<ProjectSummary>[] = [
  { title: "Project", kind: "grow", cell: ({ name }) => name },
  { title: "Memories", kind: "end", cell: ({ memories }) => count(memories) },
  { title: "Documents", kind: "end", cell: ({ documents }) => count(documents) },
  { title: "Keys", kind: "end", optional: true, cell: ({ keys }) => count(keys) },
  {
    title: "Created",
    kind: "end",
    optional: true,
    cell: ({ created_at }) => <When at={created_at} as="day" />,
  },
];

export function Projects() {
  const { projects } = useProjectList();
  const [adding, setAdding] = useState(false);
  const add = (
    <button type="button" class="button primary" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      New project
    </button>
  );
  return (
    <>
      <PageHead
        title="Projects"
        lead="Each holds the records of one application: no key and no search reaches from one into another."
      >
        {projects.length > 0 && add}
      </PageHead>
      {projects.length === 0
        ? (
          <Empty icon="project" title="No projects">
            <span>Make one to keep memories and documents in.</span>
            {add}
          </Empty>
        )
        : (
          <Table
            label="Projects"
            columns={COLUMNS}
            items={projects}
            keyOf={({ id }) => id}
            href={({ name }) => href(name, "/")}
          />
        )}
      {adding && <NewProject close={() => setAdding(false)} />}
    </>
  );
}

function NewProject({ close }: { close: () => void }) {
  const projectList = useProjectList();
  const tell = useToast();
  const [name, setName] = useState("");
  const create = useCommand(async () => {
    const created = await call<Project>("POST", "/projects", { body: { name } });
    tell(`Project ${created.name} is there`);
    projectList.reload();
    close();
    go(href(created.name, "/settings"));
  });
  return (
    <FormDialog
      title="New project"
      action="Make the project"
      close={close}
      running={create.running}
      failure={create.failure}
      submit={create.run}
    >
      <TextField
        label="Name"
        hint="Lower-case letters, digits, dots, underscores and dashes"
        value={name}
        change={setName}
        placeholder="my-app"
        autoFocus
        required
      />
    </FormDialog>
  );
}
