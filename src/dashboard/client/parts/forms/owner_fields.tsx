/** Fields for a new record's owner: a user, agent or run. */

import { useId, useState } from "preact/hooks";
import { useProject } from "../../project.ts";
import { useKnownEntities } from "./scope_fields.tsx";

/** The scopes in a form. At least one must be set. */
export interface OwnerForm {
  readonly user_id: string;
  readonly agent_id: string;
  readonly run_id: string;
}

/** An owner form, and what to do with it. */
export interface OwnerState {
  readonly owner: OwnerForm;
  setOwner(owner: OwnerForm): void;
  /** Remembers the user for next time and returns the scopes set. */
  saveOwner(): Partial<OwnerForm>;
}

/** Returns a form prefilled with the project's user last entered in this browser session. */
export function useOwner(): OwnerState {
  const key = `commonplace.owner.${useProject().id}`;
  const [owner, setOwner] = useState<OwnerForm>(() => ({
    user_id: sessionStorage.getItem(key) ?? "",
    agent_id: "",
    run_id: "",
  }));
  const saveOwner = () => {
    if (owner.user_id.trim() !== "") sessionStorage.setItem(key, owner.user_id.trim());
    return ownerScopes(owner);
  };
  return { owner, setOwner, saveOwner };
}

/** Returns the scopes that are set. */
export function ownerScopes(form: OwnerForm): Partial<OwnerForm> {
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
  /** Whether all fields can be empty, because records can name their own owner. */
  readonly optional?: boolean;
}

const FIELDS = [
  ["user_id", "user", "User", "ana"],
  ["agent_id", "agent", "Agent", "assistant"],
  ["run_id", "run", "Run", "chat-42"],
] as const;

export function OwnerFields({ value, onChange, optional = false }: OwnerFieldsProps) {
  const id = useId();
  return (
    <fieldset class="owner">
      <legend>Owner</legend>
      <div class="form-row">
        {FIELDS.map(([key, type, label, example]) => (
          <OwnerField
            key={key}
            label={label}
            type={type}
            example={example}
            value={value[key]}
            onChange={(text) => onChange({ ...value, [key]: text })}
            required={!optional && !hasOwner(value) && key === "user_id"}
            hintId={id}
          />
        ))}
      </div>
      <p class="hint" id={id}>
        The names that your application uses for people, agents and conversations. {optional
          ? "Records that name their own owner keep it."
          : "Fill in at least one. An owner is created with its first record."}
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
  /** Id of the element explaining the field. */
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
        {known.map((id) => <option key={id} value={id} />)}
      </datalist>
    </div>
  );
}
