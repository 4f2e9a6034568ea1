/** The controls that narrow a list or a search of memories down. */

import { type Option, SelectField } from "../../parts/fields.tsx";
import { FilterBar } from "../../parts/filter_bar.tsx";
import { ScopeFields } from "../../parts/scope_fields.tsx";
import {
  FILTER_KEYS,
  isFiltered,
  MODES,
  type SearchForm,
  STRATEGIES,
  TYPES,
  VALIDITIES,
} from "./filter.ts";

export interface FiltersProps {
  readonly form: SearchForm;
  readonly onChange: (form: SearchForm) => void;
}

/** What a search alone knows is shown while one is searching. */
export function Filters({ form, onChange }: FiltersProps) {
  return (
    <FilterBar
      label="Filters"
      set={FILTER_KEYS.filter((key) => form[key] !== undefined).length}
    >
      <ScopeFields value={form} onChange={(scope) => onChange({ ...form, ...scope })} />
      <SelectField
        label="Type"
        options={choices(TYPES, "Any")}
        value={form.memory_type ?? ""}
        change={(type) => onChange({ ...form, memory_type: known(TYPES, type) })}
      />
      <SelectField
        label="Validity"
        options={choices(VALIDITIES, "Any")}
        value={form.validity ?? ""}
        change={(validity) => onChange({ ...form, validity: known(VALIDITIES, validity) })}
      />
      {form.q !== undefined && (
        <>
          <SelectField
            label="Order"
            options={choices(MODES)}
            value={form.mode ?? "hybrid"}
            change={(mode) =>
              onChange({ ...form, mode: mode === "hybrid" ? undefined : known(MODES, mode) })}
          />
          <SelectField
            label="Reach"
            options={choices(STRATEGIES)}
            value={form.strategy ?? "balanced"}
            change={(strategy) =>
              onChange({
                ...form,
                strategy: strategy === "balanced" ? undefined : known(STRATEGIES, strategy),
              })}
          />
        </>
      )}
      {isFiltered(form) && (
        <button
          type="button"
          class="button small"
          onClick={() => onChange({ q: form.q, mode: form.mode, strategy: form.strategy })}
        >
          Clear filters
        </button>
      )}
    </FilterBar>
  );
}

function choices(names: Readonly<Record<string, string>>, none?: string): Option[] {
  return [...(none === undefined ? [] : [["", none] as const]), ...Object.entries(names)];
}

function known<K extends string>(names: Readonly<Record<K, string>>, key: string): K | undefined {
  return Object.hasOwn(names, key) ? key as K : undefined;
}
