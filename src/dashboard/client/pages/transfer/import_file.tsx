/** Imports a file of another product, after a look at what that would do. */

import { useState } from "preact/hooks";
import type { ImportReport } from "../../../../imports/report.ts";
import { useCommand, useMutation } from "../../hooks.ts";
import { formatCount, formatPlural } from "../../parts/data/number_format.ts";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { useToast } from "../../parts/feedback/toast.tsx";
import { SelectField } from "../../parts/forms/fields.tsx";
import { FileField } from "../../parts/forms/file_field.tsx";
import { OwnerFields, useOwner } from "../../parts/forms/owner_fields.tsx";
import { Icon } from "../../parts/layout/icon.tsx";
import { Section } from "../../parts/layout/section.tsx";
import type { CurrentProject } from "../../project.ts";
import { IMPORT_OPTIONS } from "./formats.ts";

/** Kinds of imported records, with their nouns. */
export const IMPORTED = [
  ["memories", "new memory", "new memories"],
  ["documents", "new document", "new documents"],
] as const;

interface ImportFileProps {
  readonly project: CurrentProject;
  readonly onStarted: () => void;
}

export function ImportFile({ project, onStarted }: ImportFileProps) {
  const showToast = useToast();
  const [format, setFormat] = useState(IMPORT_OPTIONS[0]![0]);
  const { owner, setOwner, saveOwner } = useOwner();
  const [file, setFile] = useState<File>();
  const [report, setReport] = useState<ImportReport>();
  const command = useCommand();
  const send = <T,>(chosen: File, dryRun: boolean) =>
    project.api.call<T>("POST", `/imports/${format}`, {
      raw: chosen,
      query: { ...saveOwner(), filename: chosen.name, dry_run: dryRun },
      headers: { "content-type": "application/octet-stream" },
      command,
    });
  const check = useMutation(async (chosen: File) => {
    setReport(await send<ImportReport>(chosen, true));
  });
  const start = useMutation(async (chosen: File) => {
    await send(chosen, false);
    showToast("Import started");
    setReport(undefined);
    setFile(undefined);
    onStarted();
  });
  /** A report only holds for the choices that it was made with. */
  const change = <T,>(set: (value: T) => void) => (value: T) => {
    setReport(undefined);
    set(value);
  };
  return (
    <Section title="Import from another product" card>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== undefined) start.run(file);
        }}
      >
        <p>
          Adds memories and conversations to{" "}
          <b>{project.name}</b>. Importing a file again changes nothing, so you can always repeat
          it.
        </p>
        <SelectField
          label="From"
          value={format}
          onChange={change(setFormat)}
          options={IMPORT_OPTIONS}
        />
        <FileField label="File or zip archive" file={file} onChange={change(setFile)} />
        <OwnerFields value={owner} onChange={change(setOwner)} optional />
        <ErrorMessage failure={check.failure ?? start.failure} />
        {report && <Report of={report} />}
        <div class="form-actions">
          <button
            type="button"
            class="button"
            disabled={file === undefined || check.running}
            onClick={() => file !== undefined && check.run(file)}
          >
            <Icon name="search" />
            {check.running ? "Reading…" : "Check the file"}
          </button>
          <button
            type="submit"
            class="button primary"
            disabled={file === undefined || start.running}
          >
            <Icon name="download" />
            {start.running ? "Uploading…" : "Import the file"}
          </button>
        </div>
      </form>
    </Section>
  );
}

/** What an import would do, in sentences. */
function Report({ of: report }: { readonly of: ImportReport }) {
  const { count, first } = report.set_aside;
  const omitted = Object.entries({ ...report.not_carried, ...report.cut });
  return (
    <div role="status">
      <ul>
        {IMPORTED.filter(([kind]) => report[kind].found > 0).map(([kind, one, many]) => (
          <li key={kind}>
            {formatPlural(report[kind].added, one, many)}, {formatCount(report[kind].unchanged)}
            {" "}
            already here
          </li>
        ))}
        {omitted.map(([what, number]) => (
          <li key={what}>{formatCount(number)} {what} can't be carried over</li>
        ))}
        {count > 0 && <li>{formatPlural(count, "record")} can't be imported</li>}
      </ul>
      {first.length > 0 && (
        <details>
          <summary>Records that can't be imported</summary>
          <ul>
            {first.map(({ where, reason }) => <li key={where} dir="auto">{where}: {reason}</li>)}
          </ul>
        </details>
      )}
    </div>
  );
}
