/** How everything is doing, in words, with what to look at when something isn't well. */

import type { InstanceHealth } from "../../schema.ts";
import { call } from "../api.ts";
import { useLoaded } from "../live.ts";
import { Badge, Status } from "../parts/badge.tsx";
import { Facts } from "../parts/facts.tsx";
import { bytes } from "../parts/figures.ts";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Section } from "../parts/section.tsx";
import { Waiting } from "../parts/table.tsx";
import { duration, When } from "../parts/when.tsx";
import { href } from "../route.ts";
import { reasonsOf } from "./health_reasons.ts";

export function Health() {
  const loaded = useLoaded(
    (signal) => call<InstanceHealth>("GET", "/health", { signal }),
    [],
    5_000,
  );
  const instance = loaded.value;
  return (
    <>
      <PageHead
        title="Health"
        lead="The service and every project, looked at anew every 5 seconds."
      />
      <Problem failure={loaded.failure} retry={loaded.reload} />
      {instance === undefined ? loaded.failure === undefined && <Waiting /> : (
        <>
          <Verdict instance={instance} />
          <Section title="Service" card>
            <Facts
              of={Object.entries({
                Version: `${instance.version}, schema ${instance.schema}`,
                "Running since": <When at={instance.started_at} as="moment" />,
                "Running for": duration(
                  Date.parse(instance.checked_at) - Date.parse(instance.started_at),
                ),
                Database: bytes(instance.database_bytes),
                "Memory in use": bytes(instance.resident_bytes),
                "Looked at": <When at={instance.checked_at} />,
              })}
            />
          </Section>
          {instance.projects.map((project) => <ProjectHealth key={project.id} project={project} />)}
        </>
      )}
    </>
  );
}

function Verdict({ instance }: { instance: InstanceHealth }) {
  const unwell = instance.projects.filter(({ health }) => health.status !== "ok");
  if (unwell.length === 0) {
    return (
      <p class="verdict good">
        <Badge tone="good">ok</Badge> Everything is well.
      </p>
    );
  }
  return (
    <p class="verdict bad">
      <Badge tone="bad">degraded</Badge> {unwell.map(({ name }) => name).join(", ")}{" "}
      {unwell.length === 1 ? "needs" : "need"} attention.
    </p>
  );
}

function ProjectHealth({ project }: { project: InstanceHealth["projects"][number] }) {
  const { name, health } = project;
  const failed = health.operations.failed + health.tasks.dead > 0;
  return (
    <Section
      title={
        <span class="with-badge">
          {name} <Status of={health.status} />
        </span>
      }
      actions={failed && (
        <a class="button small" href={href(name, "/operations", { status: "dead" })}>
          Show what failed
        </a>
      )}
      card
    >
      <ul class="reasons">
        {reasonsOf(health).map(({ name: what, words, bad, note }) => (
          <li key={what}>
            <span
              class={`reason-mark ${bad ? "bad" : note ? "note" : ""}`}
              aria-hidden="true"
            />
            <span class="reason-name">{what}</span>
            <span class={bad ? "reason-words bad" : "reason-words"}>
              {bad && <span class="sr-only">Needs attention:</span>}
              {words}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
