/** Memories and documents as resources: what a person attaches to a conversation by its address. */

import type { ReadResourceResult, ResourceTemplateType } from "@modelcontextprotocol/server";
import { isAccepted } from "../documents/media_types.ts";
import type { DocumentService } from "../documents/service.ts";
import { requirePermission } from "../http/authenticate.ts";
import { ApiError } from "../kernel/errors.ts";
import type { MemoryService } from "../memories/service.ts";
import type { Store } from "../store/store.ts";
import type { ScopeGuard } from "./scope_guard.ts";
import type { Caller } from "./tool_registry.ts";

const RESOURCE_URI = /^commonplace:\/\/(memories|documents)\/([^/?#]+)$/;

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
  readonly scopeGuard: ScopeGuard;
}

/** The resources of a data directory. */
export class Resources {
  readonly #deps: ResourceDeps;

  constructor(deps: ResourceDeps) {
    this.#deps = deps;
  }

  /** What can be read; nothing for a key that may not read. */
  templates({ principal }: Caller): ResourceTemplateType[] {
    return principal.permissions.includes("memory:read") ? TEMPLATES : [];
  }

  /** @throws ApiError PERMISSION_DENIED, or the NOT_FOUND of whatever the address names */
  async read(caller: Caller, uri: string): Promise<ReadResourceResult> {
    requirePermission(caller.principal, "memory:read");
    const [, kind, id] = RESOURCE_URI.exec(uri) ?? [];
    if (kind === undefined) throw new ApiError("NOT_FOUND", `Nothing is at ${uri}`);
    const content = kind === "memories"
      ? await this.#readMemory(caller, id!)
      : await this.#readDocument(caller, id!);
    return { contents: [{ uri, ...content }] };
  }

  async #readMemory({ principal: { project }, fixed }: Caller, id: string) {
    const { store, memories, scopeGuard } = this.#deps;
    await scopeGuard.requireMemory(project, fixed, id);
    const memory = await store.read((db) => memories.get(db, project, id));
    return { mimeType: "application/json", text: JSON.stringify(memory) };
  }

  async #readDocument({ principal: { project }, fixed }: Caller, id: string) {
    const { documents, scopeGuard } = this.#deps;
    await scopeGuard.requireDocument(project, fixed, id);
    const { mime_type } = await documents.get(project, id);
    const { content } = await documents.content(project, id);
    // What came as a file is kept as the Markdown that was made of it.
    return { mimeType: isAccepted(mime_type) ? mime_type : "text/markdown", text: content };
  }
}
