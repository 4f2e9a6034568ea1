/** Whose something new will be: a user, and an agent or a run for those who need them. */

import { useId } from "preact/hooks";
import { useKnownEntities } from "./scope_fields.tsx";

/** Scopes as a form holds them; at least one must be filled in. */
export interface OwnerForm {
  readonly user_id: string;
  readonly agent_id: string;
  readonly run_id: string;
}

const OWNER_STORAGE_KEY = "commonplace.owner";

/** Whoever was named last in this browser. */
export function loadOwner(): OwnerForm {
  return { user_id: sessionStorage.getItem(OWNER_STORAGE_KEY) ?? "", agent_id: "", run_id: "" };
}

/** The scopes that are filled in, for a request. */
export function saveOwner(form: OwnerForm): Partial<OwnerForm> {
  if (form.user_id.trim() !== "") sessionStorage.setItem(OWNER_STORAGE_KEY, form.user_id.trim());
  return Object.fromEntries(
    Object.entries(form).filter(([, value]) => value.trim() !== ""),
  ) as Partial<OwnerForm>;
}

export function hasOwner(form: OwnerForm): boolean {
  return Object.values(form).some((value) => value.trim() !== "");
}

interface OwnerFieldsProps {
  readonly value: OwnerForm;
  readonly onChange: (value: OwnerForm) => void;
}

const FIELDS = [
  ["user_id", "user", "User", "ana"],
  ["agent_id", "agent", "Agent", "assistant"],
  ["run_id", "run", "Run", "chat-42"],
] as const;

export function OwnerFields({ value, onChange }: OwnerFieldsProps) {
  const id = useId();
  return (
    <fieldset class="owner">
      <legend>Whose is it?</legend>
      <div class="form-row">
        {FIELDS.map(([key, type, label, example]) => (
          <OwnerField
            key={key}
            label={label}
            type={type}
            example={example}
            value={value[key]}
            onChange={(text) => onChange({ ...value, [key]: text })}
            required={!hasOwner(value) && key === "user_id"}
            hintId={id}
          />
        ))}
      </div>
      <p class="hint" id={id}>
        Any name that your application has for a person, an agent or a conversation. One of the
        three is enough; it exists as soon as something is stored for it.
      </p>
    </fieldset>
  );
}

interface OwnerFieldProps {
  readonly label: string;
  readonly type: "user" | "agent" | "run";
  readonly example: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required: boolean;
  /** The id of the words that explain it. */
  readonly hintId: string;
}

function OwnerField(props: OwnerFieldProps) {
  const { label, type, example, value, onChange, required, hintId } = props;
  const id = useId();
  const known = useKnownEntities(type);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        value={value}
        list={`${id}-known`}
        placeholder={example}
        autocomplete="off"
        maxLength={256}
        dir="auto"
        required={required}
        aria-describedby={hintId}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={`${id}-known`}>
        {known.map((each) => <option key={each} value={each} />)}
      </datalist>
    </div>
  );
}
