/** The page that adds a memory, either verbatim or through inference, and shows the result. */

import { useState } from "preact/hooks";
import type { MemoryType, WriteResult } from "../../../../memories/schema.ts";
import { useCommand, useMutation } from "../../hooks.ts";
import { RadioGroup, SelectField, TextField } from "../../parts/forms/fields.tsx";
import { fromLocalInput } from "../../parts/forms/local_time.ts";
import { PageHeader } from "../../parts/layout/page_header.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { OwnerFields, useOwner } from "../../parts/forms/owner_fields.tsx";
import { useProject } from "../../project.ts";
import { ImportanceField } from "./edit_dialogs.tsx";
import { TYPES } from "./filter.ts";
import { InferenceOutcome, StoredMemories } from "./add_outcome.tsx";

type AddMode = "infer" | "verbatim";

/** Result for the last text sent. */
type AddResult =
  | { readonly mode: "infer"; readonly eventId: string }
  | { readonly mode: "verbatim"; readonly results: readonly WriteResult[] };

const EXAMPLES: Readonly<Record<AddMode, string>> = {
  infer: "I moved to Porto in May. I love trail running, and I'm allergic to peanuts.",
  verbatim: "Ana prefers window seats on trains",
};

const HINTS: Readonly<Record<AddMode, string>> = {
  infer:
    "Write as you would say it. Each lasting fact becomes a memory; small talk is ignored. A fact that replaces an older one ends it.",
  verbatim: "The text is stored immediately as one memory, word for word.",
};

export function AddMemory() {
  const { api, link } = useProject();
  const [mode, setMode] = useState<AddMode>("infer");
  const [content, setContent] = useState("");
  const { owner, setOwner, saveOwner } = useOwner();
  const [date, setDate] = useState("");
  const [type, setType] = useState<string>("fact");
  const [importance, setImportance] = useState("0.5");
  const [sent, setSent] = useState<AddResult>();
  const command = useCommand();
  const add = useMutation(async () => {
    const event_date = fromLocalInput(date);
    const common = { ...saveOwner(), ...(event_date === undefined ? {} : { event_date }) };
    if (mode === "infer") {
      const body = { messages: [{ role: "user", content }], ...common };
      const { event_id } = await api.call<{ event_id: string }>("POST", "/memories", {
        body,
        command,
      });
      setSent({ mode, eventId: event_id });
    } else {
      const verbatim = { memory_type: type as MemoryType, importance: Number(importance) };
      const { results } = await api.call<{ results: WriteResult[] }>("POST", "/memories", {
        body: { content, infer: false, ...common, ...verbatim },
        command,
      });
      setSent({ mode, results });
    }
    setContent("");
  });
  return (
    <>
      <PageHeader
        title="Add a memory"
        back={{ href: link("/memories"), title: "Memories" }}
      />
      <form
        class="form narrow"
        onSubmit={(event) => {
          event.preventDefault();
          add.run();
        }}
      >
        <RadioGroup
          label="How to store it"
          value={mode}
          onChange={(value) => setMode(value as AddMode)}
          options={[["infer", "Extract the facts"], ["verbatim", "Keep it word for word"]]}
        />
        <TextField
          label="What should be remembered?"
          hint={HINTS[mode]}
          lines={5}
          value={content}
          onChange={setContent}
          placeholder={EXAMPLES[mode]}
          required
          autoFocus
        />
        <OwnerFields value={owner} onChange={setOwner} />
        <div class="form-row">
          <TextField
            label="When was it said? (defaults to now)"
            type="datetime-local"
            value={date}
            onChange={setDate}
          />
          {mode === "verbatim" && (
            <>
              <SelectField
                label="Type"
                value={type}
                onChange={setType}
                options={Object.entries(TYPES)}
              />
              <ImportanceField value={importance} onChange={setImportance} />
            </>
          )}
        </div>
        <ErrorMessage failure={add.failure} />
        <div class="form-actions">
          <button type="submit" class="button primary" disabled={add.running}>
            {add.running ? "One moment…" : "Add"}
          </button>
        </div>
      </form>
      {sent?.mode === "verbatim" && <StoredMemories results={sent.results} />}
      {sent?.mode === "infer" && <InferenceOutcome key={sent.eventId} eventId={sent.eventId} />}
    </>
  );
}
