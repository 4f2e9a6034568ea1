/** A small file for each format, written like those that the products export, and what it becomes. */

import type { Sample } from "./imports.ts";

/** A file to import. */
export interface FormatSample {
  readonly file: Sample;
  /** Query of the import request. */
  readonly query?: string;
  /** Texts of the memories, in any order. */
  readonly memories: readonly string[];
  /** Keys of the documents, in any order. */
  readonly documents: readonly string[];
  readonly setAside?: number;
  readonly notCarried?: Readonly<Record<string, number>>;
}

const json = (value: unknown) => JSON.stringify(value);
const lines = (...values: readonly unknown[]) => values.map(json).join("\n");

/** Samples by format. Every format has one. */
export const SAMPLES: Readonly<Record<string, FormatSample>> = {
  mem0: {
    file: json({
      count: 3,
      next: null,
      results: [
        {
          id: "0d7c2fd6-7b4f-4a5c-8d4e-1f9c56e3a001",
          memory: "Ana moved to Porto",
          user_id: "ana",
          metadata: { trip: 3 },
          categories: ["home"],
          created_at: "2024-03-04T05:06:07.123456-07:00",
          updated_at: "2024-05-04T05:06:07Z",
          expiration_date: "2031-01-01",
        },
        { id: "b2", memory: "Answers in Portuguese", agent_id: "tutor", run_id: "s1" },
        { id: "b3", memory: " ", user_id: "ana" },
      ],
    }),
    memories: ["Ana moved to Porto", "Answers in Portuguese"],
    documents: [],
    setAside: 1,
  },
  jsonl: {
    file: `${
      lines(
        { content: "Plays chess", user_id: "ana", created_at: "2024-01-02" },
        { content: "Works at a mill", valid_from: "2020-01-01", valid_to: "2023-01-01", id: 7 },
        { kind: "document", source_key: "notes/tea.md", content: "# Tea\n\nSteep for 3 minutes." },
      )
    }\n{"content": "cut off`,
    query: "?user_id=ben",
    memories: ["Plays chess", "Works at a mill"],
    documents: ["notes/tea.md"],
    setAside: 1,
  },
};
