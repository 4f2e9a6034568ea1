/** The projects page: the project list, and a dialog for creating one. */

import { useState } from "preact/hooks";
import type { Project, ProjectSummary } from "../../schema.ts";
import { call } from "../api.ts";
import { useMutation } from "../hooks.ts";
import { FormDialog } from "../parts/forms/dialog.tsx";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { TextField } from "../parts/forms/fields.tsx";
import { formatCount } from "../parts/data/number_format.ts";
import { Icon } from "../parts/layout/icon.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { type Column, Table } from "../parts/data/table.tsx";
import { useToast } from "../parts/feedback/toast.tsx";
import { Timestamp } from "../parts/data/timestamp.tsx";
import { useProjectList } from "../project.ts";
import { href, navigate } from "../route.ts";

const COLUMNS: readonly Column<ProjectSummary>[] = [
  { title: "Project", kind: "grow", cell: ({ name }) => name },
  { title: "Memories", kind: "end", cell: ({ memories }) => formatCount(memories) },
  { title: "Documents", kind: "end", cell: ({ documents }) => formatCount(documents) },
  { title: "Keys", kind: "end", cell: ({ keys }) => formatCount(keys) },
  {
    title: "Created",
    kind: "end",
    cell: ({ created_at }) => <Timestamp at={created_at} as="day" />,
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
      <PageHeader
        title="Projects"
        lead="Each project holds the records of one application. Keys and searches are limited to their project."
      >
        {projects.length > 0 && add}
      </PageHeader>
      {projects.length === 0
        ? (
          <EmptyState icon="project" title="No projects">
            <span>Create one to store memories and documents.</span>
            {add}
          </EmptyState>
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
      {adding && <NewProject onClose={() => setAdding(false)} />}
    </>
  );
}

function NewProject({ onClose }: { onClose: () => void }) {
  const projectList = useProjectList();
  const showToast = useToast();
  const [name, setName] = useState("");
  const create = useMutation(async () => {
    const created = await call<Project>("POST", "/projects", { body: { name } });
    showToast(`Project ${created.name} created`);
    projectList.reload();
    onClose();
    navigate(href(created.name, "/settings"));
  });
  return (
    <FormDialog
      title="New project"
      submitLabel="Create project"
      onClose={onClose}
      running={create.running}
      failure={create.failure}
      onSubmit={create.run}
    >
      <TextField
        label="Name"
        hint="Lowercase letters, digits, dots, underscores and hyphens"
        value={name}
        onChange={setName}
        placeholder="my-app"
        autoFocus
        required
      />
    </FormDialog>
  );
}
