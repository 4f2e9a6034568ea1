/** `@commonplace/client/langchain`: a retriever and tools for LangChain. */

import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import type { Commonplace } from "../client.ts";
import { cutQuery, memoryTools as tools } from "../tools.ts";

/** Options of a retriever. */
export interface RetrieverOptions extends BaseRetrieverInput {
  readonly client: Commonplace;
  /** What to search. Defaults to memories. */
  readonly from?: "memories" | "documents";
  /** Maximum number of results: up to 50 memories or 20 passages. Defaults to 8. */
  readonly k?: number;
}

/** Finds memories, or passages of documents with the byte range to cite. */
export class CommonplaceRetriever extends BaseRetriever {
  lc_namespace = ["commonplace", "retrievers"];
  readonly #client: Commonplace;
  readonly #from: "memories" | "documents";
  readonly #k: number;

  static override lc_name(): string {
    return "CommonplaceRetriever";
  }

  constructor({ client, from = "memories", k = 8, ...options }: RetrieverOptions) {
    super(options);
    this.#client = client;
    this.#from = from;
    this.#k = k;
  }

  override async _getRelevantDocuments(question: string): Promise<Document[]> {
    const query = cutQuery(question);
    if (this.#from === "memories") {
      const { results } = await this.#client.memories.search(query, { top_k: this.#k });
      return results.map(({ memory, metadata, ...fields }) =>
        new Document({ id: fields.id, pageContent: memory, metadata: { ...metadata, ...fields } })
      );
    }
    const { results } = await this.#client.documents.search(query, { limit: this.#k });
    return results.map(({ chunk: { content, ...fields }, score }) =>
      new Document({ id: fields.id, pageContent: content, metadata: { ...fields, score } })
    );
  }
}

/** Returns tools to search memories and documents and to remember facts. */
export function memoryTools(client: Commonplace): StructuredToolInterface[] {
  return tools(client).map(({ name, description, parameters, run }) =>
    tool(async (input) => JSON.stringify(await run(input)), {
      name,
      description,
      schema: { ...parameters, required: [...parameters.required] },
    })
  );
}
