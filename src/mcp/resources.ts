/** Memories and documents as resources: what a person attaches to a conversation by its address. */

import type { ReadResourceResult, ResourceTemplateType } from "@modelcontextprotocol/server";
import { isAccepted } from "../documents/media_types.ts";
import type { DocumentService } from "../documents/service.ts";
import { requirePermission } from "../http/authenticate.ts";
import { ApiError } from "../kernel/errors.ts";
import type { MemoryService } from "../memories/service.ts";
import type { Store } from "../store/store.ts";
import type { Fence } from "./fence.ts";
import type { Caller } from "./toolbox.ts";

const SCHEME = /^commonplace:\/\/(memories|documents)\/([^/?#]+)$/;

const TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: "commonplace://memories/{id}",
    name: "memory",
    title: "Memory",
    description: "One memory with all its fields",
    mimeType: "application/json",
  },
  {
    uriTemplate: "commonplace://documents/{id}",
    name: "document",
    title: "Document",
    description: "The whole text of one version of a document",
  },
];

/** What resources are read with. */
export interface ResourceDeps {
  readonly store: Store;
  readonly memories: MemoryService;
  readonly documents: DocumentService;
  readonly fence: Fence;
}

/** The resources of a data directory. */
export class Resources {
  readonly #deps: ResourceDeps;

  constructor(deps: ResourceDeps) {
    this.#deps = deps;
  }

  /** What can be read; nothing for a key that may not read. */
  templates({ holder }: Caller): ResourceTemplateType[] {
    return holder.permissions.includes("memory:read") ? TEMPLATES : [];
  }

  /** @throws ApiError PERMISSION_DENIED, or the NOT_FOUND of whatever the address names */
  async read(caller: Caller, uri: string): Promise<ReadResourceResult> {
    requirePermission(caller.holder, "memory:read");
    const [, kind, id] = SCHEME.exec(uri) ?? [];
    if (kind === undefined) throw new ApiError("NOT_FOUND", `Nothing is at ${uri}`);
    const content = kind === "memories"
      ? await this.#memory(caller, id!)
      : await this.#document(caller, id!);
    return { contents: [{ uri, ...content }] };
  }

  async #memory({ holder: { project }, fixed }: Caller, id: string) {
    const { store, memories, fence } = this.#deps;
    await fence.memory(project, fixed, id);
    const memory = await store.read((db) => memories.get(db, project, id));
    return { mimeType: "application/json", text: JSON.stringify(memory) };
  }

  async #document({ holder: { project }, fixed }: Caller, id: string) {
    const { documents, fence } = this.#deps;
    await fence.document(project, fixed, id);
    const { mime_type } = await documents.get(project, id);
    const { content } = await documents.content(project, id);
    // What came as a file is kept as the Markdown that was made of it.
    return { mimeType: isAccepted(mime_type) ? mime_type : "text/markdown", text: content };
  }
}
