/** The two tools that ChatGPT requires for research with citations. See `profiles.ts`. */

import type { ToolDefinition } from "./tool.ts";

const READ_HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

export const RESEARCH_TOOLS: readonly ToolDefinition[] = [
  {
    name: "search",
    title: "Search everything",
    description:
      "Search everything the user has saved in Commonplace: memories about people and past " +
      "conversations, and passages of documents. Use it first for any question about the user or " +
      "their documents. Returns results with an id, a title, a text and a URL to cite. Pass an id " +
      "to fetch to read more.",
    operationId: "researchSearch",
    shownArguments: ["query"],
    argumentDescriptions: { query: "What to search for, in plain words" },
    hints: READ_HINTS,
    // ChatGPT reads the text, not the structured result.
    summarize: (response: unknown) => JSON.stringify(response),
  },
  {
    name: "fetch",
    title: "Read a result",
    description: "Read the full text of a result of search by its id: a memory, or the part of a " +
      "document around the passage. Returns the text, with a URL to cite.",
    operationId: "researchFetch",
    shownArguments: ["id"],
    argumentDescriptions: { id: "Id of a result of search" },
    hints: READ_HINTS,
    summarize: (response: unknown) => JSON.stringify(response),
  },
];
