/** Adding a memory: as it is, or by inference, with what came of it shown on the spot. */

import { useState } from "preact/hooks";
import type { MemoryType, WriteResult } from "../../../../memories/schema.ts";
import { idempotencyKey } from "../../api.ts";
import { useMutation } from "../../hooks.ts";
import { RadioGroup, SelectField, TextField } from "../../parts/forms/fields.tsx";
import { fromLocalInput } from "../../parts/forms/local_time.ts";
import { PageHeader } from "../../parts/layout/page_header.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import {
  loadOwner,
  OwnerFields,
  type OwnerForm,
  saveOwner,
} from "../../parts/forms/owner_fields.tsx";
import { useProject } from "../../project.ts";
import { ImportanceField } from "./edit_dialogs.tsx";
import { TYPES } from "./filter.ts";
import { InferenceOutcome, StoredMemories } from "./add_outcome.tsx";

type AddMode = "infer" | "verbatim";

/** What became of the last text that was sent. */
type AddResult =
  | { readonly way: "infer"; readonly eventId: string }
  | { readonly way: "verbatim"; readonly results: readonly WriteResult[] };

const EXAMPLES: Readonly<Record<AddMode, string>> = {
  infer: "I moved to Porto in May. I love trail running, and I'm allergic to peanuts.",
  verbatim: "Ana prefers window seats on trains",
};

const HINTS: Readonly<Record<AddMode, string>> = {
  infer:
    "Write as somebody would say it. The lasting facts in it become memories of their own; small talk doesn't. What replaces an older fact ends that one.",
  verbatim: "The text becomes one memory, word for word, at once.",
};

export function AddMemory() {
  const { api, link } = useProject();
  const [way, setWay] = useState<AddMode>("infer");
  const [content, setContent] = useState("");
  const [owner, setOwner] = useState<OwnerForm>(loadOwner);
  const [date, setDate] = useState("");
  const [type, setType] = useState<string>("fact");
  const [importance, setImportance] = useState("0.5");
  const [sent, setSent] = useState<AddResult>();
  const add = useMutation(async () => {
    const event_date = fromLocalInput(date);
    const common = { ...saveOwner(owner), ...(event_date === undefined ? {} : { event_date }) };
    const headers = idempotencyKey();
    if (way === "infer") {
      const body = { messages: [{ role: "user", content }], ...common };
      const { event_id } = await api.call<{ event_id: string }>("POST", "/memories", {
        body,
        headers,
      });
      setSent({ way, eventId: event_id });
    } else {
      const verbatim = { memory_type: type as MemoryType, importance: Number(importance) };
      const { results } = await api.call<{ results: WriteResult[] }>("POST", "/memories", {
        body: { content, infer: false, ...common, ...verbatim },
        headers,
      });
      setSent({ way, results });
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
          label="How it is stored"
          value={way}
          onChange={(value) => setWay(value as AddMode)}
          options={[["infer", "Find the facts in it"], ["verbatim", "Keep it word for word"]]}
        />
        <TextField
          label="What should be remembered?"
          hint={HINTS[way]}
          lines={5}
          value={content}
          onChange={setContent}
          placeholder={EXAMPLES[way]}
          required
          autoFocus
        />
        <OwnerFields value={owner} onChange={setOwner} />
        <div class="form-row">
          <TextField
            label="When was it said? (now, unless you choose)"
            type="datetime-local"
            value={date}
            onChange={setDate}
          />
          {way === "verbatim" && (
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
      {sent?.way === "verbatim" && <StoredMemories results={sent.results} />}
      {sent?.way === "infer" && <InferenceOutcome key={sent.eventId} eventId={sent.eventId} />}
    </>
  );
}
