/** A check box for each permission. */

import type { Permission } from "../../../../contract/endpoint.ts";
import { CheckField } from "./fields.tsx";

/** What each permission allows, in the order listed. */
const PERMISSION_TEXTS: readonly (readonly [name: Permission, meaning: string])[] = [
  ["memory:read", "Read and search memories and documents"],
  ["memory:write", "Add, change and delete memories and documents"],
  ["operations:read", "Read operations, events and health"],
];

/** All permissions, in the order listed. */
export const PERMISSION_NAMES: readonly Permission[] = PERMISSION_TEXTS.map(([name]) => name);

interface PermissionFieldsProps {
  /** Permissions to choose from. Defaults to all. */
  readonly offered?: readonly Permission[];
  readonly value: readonly Permission[];
  readonly onChange: (permissions: readonly Permission[]) => void;
}

export function PermissionFields(
  { offered = PERMISSION_NAMES, value, onChange }: PermissionFieldsProps,
) {
  return (
    <fieldset class="form">
      <legend class="legend">Permissions</legend>
      {PERMISSION_TEXTS.filter(([name]) => offered.includes(name)).map(([permission, meaning]) => (
        <CheckField
          key={permission}
          label={<code>{permission}</code>}
          hint={meaning}
          checked={value.includes(permission)}
          onChange={(on) =>
            onChange(
              PERMISSION_NAMES.filter((name) => name === permission ? on : value.includes(name)),
            )}
        />
      ))}
    </fieldset>
  );
}
