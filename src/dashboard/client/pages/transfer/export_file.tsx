/** Exports the project as an archive in an open format. */

import { useState } from "preact/hooks";
import { useCommand, useMutation } from "../../hooks.ts";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { useToast } from "../../parts/feedback/toast.tsx";
import { SelectField } from "../../parts/forms/fields.tsx";
import { Icon } from "../../parts/layout/icon.tsx";
import { Section } from "../../parts/layout/section.tsx";
import type { CurrentProject } from "../../project.ts";
import { EXPORT_OPTIONS } from "./formats.ts";

interface ExportFileProps {
  readonly project: CurrentProject;
  readonly onStarted: () => void;
}

export function ExportFile({ project, onStarted }: ExportFileProps) {
  const showToast = useToast();
  const [format, setFormat] = useState(EXPORT_OPTIONS[0]![0]);
  const command = useCommand();
  const start = useMutation(async () => {
    await project.api.call("POST", `/exports/${format}`, { command });
    showToast("Export started");
    onStarted();
  });
  return (
    <Section title="Export in an open format" card>
      <div class="form">
        <p>
          A zip archive with all memories and documents, to read or to take elsewhere. History is
          only in snapshots.
        </p>
        <SelectField label="Format" value={format} onChange={setFormat} options={EXPORT_OPTIONS} />
        <ErrorMessage failure={start.failure} />
        <div>
          <button
            type="button"
            class="button"
            disabled={start.running}
            onClick={() => start.run()}
          >
            <Icon name="upload" />
            Export an archive
          </button>
        </div>
      </div>
    </Section>
  );
}
