/** Memories and documents exposed as resources, which users can attach to a conversation by URI. */

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
    description: "One memory with all its fields, as JSON",
    mimeType: "application/json",
  },
  {
    uriTemplate: "commonplace://documents/{id}",
    name: "document",
    title: "Document",
    description: "The full text of one version of a document",
  },
];

/** Dependencies for `Resources`. */
export interface ResourceDeps {
  readonly store: Store;
  readonly memories: MemoryService;
  readonly documents: DocumentService;
  readonly scopeGuard: ScopeGuard;
}

/** The resources in a data directory. */
export class Resources {
  readonly #deps: ResourceDeps;

  constructor(deps: ResourceDeps) {
    this.#deps = deps;
  }

  /** Returns all resource templates, or an empty list if the key lacks read permission. */
  templates({ principal }: Caller): ResourceTemplateType[] {
    return principal.permissions.includes("memory:read") ? TEMPLATES : [];
  }

  /**
   * Reads the resource at a URI.
   *
   * @throws ApiError PERMISSION_DENIED, or the NOT_FOUND code for that kind of resource
   */
  async read(caller: Caller, uri: string): Promise<ReadResourceResult> {
    requirePermission(caller.principal, "memory:read");
    const [, kind, id] = RESOURCE_URI.exec(uri) ?? [];
    if (kind === undefined) throw new ApiError("NOT_FOUND", `No resource at ${uri}`);
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
    // Uploaded files have their content stored as Markdown.
    return { mimeType: isAccepted(mime_type) ? mime_type : "text/markdown", text: content };
  }
}
