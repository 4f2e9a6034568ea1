/** The inference page. Explains what a text would leave, and lists texts that couldn't be read. */

import { useState } from "preact/hooks";
import type { Explanation } from "../../../inference/explanation_schema.ts";
import type { UnreadText } from "../../../memories/claims/unread_texts.ts";
import type { Page } from "../api.ts";
import { useMutation, usePagedList } from "../hooks.ts";
import { Badge } from "../parts/data/badge.tsx";
import { type Column, PagedTable } from "../parts/data/table.tsx";
import { Timestamp } from "../parts/data/timestamp.tsx";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { TextField } from "../parts/forms/fields.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { Section } from "../parts/layout/section.tsx";
import { useProject } from "../project.ts";
import { attributeText } from "./views/view_texts.ts";

/** Reasons why a text couldn't be read. */
const REASONS: Readonly<Record<UnreadText["code"], string>> = {
  TIME_LIMIT: "It took too long",
  DEPTH_LIMIT: "Its clauses are nested too deeply",
  OUTPUT_LIMIT: "It yields more than it can hold",
  ENGINE_ERROR: "The engine failed",
  PROVIDER_INVALID_RESPONSE: "The model returned an invalid response",
};

const COLUMNS: readonly Column<UnreadText>[] = [
  {
    title: "Text",
    cell: ({ record_id, position }) => (
      <>
        <code>{record_id.slice(0, 5)}…{record_id.slice(-6)}</code>
        {isMemory(record_id) ? "" : `, message ${position + 1}`}
      </>
    ),
  },
  { title: "Reason", kind: "grow", cell: ({ code }) => REASONS[code] },
  { title: "Engine", optional: true, cell: ({ reader }) => <code>{reader}</code> },
  { title: "Last tried", kind: "end", cell: ({ updated_at }) => <Timestamp at={updated_at} /> },
];

const isMemory = (id: string) => id.startsWith("mem_");

export function Inference() {
  const project = useProject();
  const list = usePagedList(
    (cursor, signal) => project.api.get<Page<UnreadText>>("/inference/unread", { cursor }, signal),
    [project.id],
    { keyOf: ({ record_id, position }) => `${record_id} ${position}`, everyMs: 5_000 },
  );
  return (
    <>
      <PageHeader
        title="Inference"
        lead="What the built-in engine reads in a text, and the texts that it couldn't read."
      />
      <ExplainForm />
      <Section title="Texts set aside">
        <PagedTable
          label="Texts set aside"
          list={list}
          columns={COLUMNS}
          keyOf={({ record_id, position }) => `${record_id} ${position}`}
          href={({ record_id }) =>
            project.link(`/${isMemory(record_id) ? "memories" : "events"}/${record_id}`)}
          empty={
            <EmptyState icon="check" title="All texts were read">
              A text that can't be read is listed here, and doesn't stop the ones behind it.
            </EmptyState>
          }
        />
      </Section>
    </>
  );
}

function ExplainForm() {
  const project = useProject();
  const [text, setText] = useState("");
  const [explanation, setExplanation] = useState<Explanation>();
  const explain = useMutation(async () => {
    const body = { text };
    setExplanation(await project.api.call<Explanation>("POST", "/inference/explain", { body }));
  });
  return (
    <Section title="Explain" card>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          explain.run();
        }}
      >
        <TextField
          label="Text"
          hint="Read as a user's message. Nothing is stored."
          value={text}
          onChange={setText}
          lines={3}
          placeholder="My sister Klara works at Ikea."
          required
        />
        <div>
          <button type="submit" class="button primary" disabled={explain.running}>Explain</button>
        </div>
      </form>
      <ErrorMessage failure={explain.failure} />
      {explanation && <ExplanationList of={explanation} />}
    </Section>
  );
}

function ExplanationList({ of: { sentences } }: { of: Explanation }) {
  if (sentences.length === 0) {
    return <p class="explained faint">No sentence of the text is the user's own statement.</p>;
  }
  return (
    <ol class="explained" aria-label="Sentences">
      {sentences.map((sentence, index) => (
        <li key={index}>
          <h3 dir="auto">{sentence.text}</h3>
          {sentence.memories.map(({ memory, memory_type, claims }) => (
            <div key={memory}>
              <p>
                <Badge tone="good">{memory_type}</Badge> {memory}
              </p>
              {claims.map(({ subject, attribute, value, op }) => (
                <p key={`${subject} ${attribute} ${value}`} class="muted">
                  <bdi>{subject}</bdi> · {attributeText(attribute)}{" "}
                  {op === "end" ? "is no longer" : "is"} <strong dir="auto">{value}</strong>
                </p>
              ))}
            </div>
          ))}
          <p class="hint">{reasonOf(sentence)}</p>
        </li>
      ))}
    </ol>
  );
}

/** What the gates, the tagger and the rules said about a sentence. */
function reasonOf(sentence: Explanation["sentences"][number]): string {
  const { stopped_by, worth_storing, spans, rules, dropped, memories } = sentence;
  if (stopped_by !== null) return `Stopped: ${stopped_by}`;
  const parts = [
    worth_storing === null ? "" : `worth storing: ${percent(worth_storing)}`,
    ...spans.map(({ attribute, words, value, state, confidence }) =>
      `${attributeText(attribute)} “${words ?? value}” (${state}, ${percent(confidence)})`
    ),
    rules.length === 0 ? "" : `rules: ${rules.join(", ")}`,
    dropped ?? (memories.length === 0 ? "nothing to store" : ""),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
