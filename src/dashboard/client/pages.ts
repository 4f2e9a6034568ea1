/**
 * All pages, with their paths, titles and components. The navigation is generated from this list.
 */

import type { ComponentType } from "preact";
import { Connect } from "./pages/connect.tsx";
import { Connections } from "./pages/connections.tsx";
import { Documents } from "./pages/documents.tsx";
import { DocumentPage } from "./pages/documents/document.tsx";
import { PasteText } from "./pages/documents/paste.tsx";
import { Entities } from "./pages/entities.tsx";
import { EventPage, Events } from "./pages/events.tsx";
import { Inference } from "./pages/inference.tsx";
import { Health } from "./pages/health.tsx";
import { AddMemory } from "./pages/memories/add.tsx";
import { MemoryPage } from "./pages/memories/memory.tsx";
import { Memories } from "./pages/memories.tsx";
import { OperationPage, Operations } from "./pages/operations.tsx";
import { Overview } from "./pages/overview.tsx";
import { Projects } from "./pages/projects.tsx";
import { Settings } from "./pages/settings.tsx";
import { Transfer } from "./pages/transfer.tsx";
import { Views } from "./pages/views.tsx";
import type { IconName } from "./parts/layout/icon.tsx";

/** Props passed to every page. */
export interface PageProps {
  /** Path parameter values. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A page. */
export interface PageEntry {
  /** Path, with parameters written as `:name`. */
  readonly path: string;
  readonly title: string;
  readonly component: ComponentType<PageProps>;
  /** Icon and navigation group, if the page is in the navigation. */
  readonly nav?: { readonly icon: IconName; readonly group: string };
}

/** Project pages. */
export const PROJECT_PAGES: readonly PageEntry[] = [
  { path: "/", title: "Overview", component: Overview, nav: { icon: "overview", group: "" } },
  {
    path: "/memories",
    title: "Memories",
    component: Memories,
    nav: { icon: "memory", group: "Records" },
  },
  { path: "/memories/new", title: "Add a memory", component: AddMemory },
  { path: "/memories/:id", title: "Memory", component: MemoryPage },
  {
    path: "/documents",
    title: "Documents",
    component: Documents,
    nav: { icon: "document", group: "Records" },
  },
  { path: "/documents/new", title: "Paste text", component: PasteText },
  { path: "/documents/:id", title: "Document", component: DocumentPage },
  {
    path: "/entities",
    title: "Entities",
    component: Entities,
    nav: { icon: "entity", group: "Records" },
  },
  { path: "/views", title: "Views", component: Views, nav: { icon: "view", group: "Records" } },
  { path: "/views/:kind", title: "Views", component: Views },
  {
    path: "/operations",
    title: "Operations",
    component: Operations,
    nav: { icon: "operation", group: "Work" },
  },
  { path: "/operations/:id", title: "Operation", component: OperationPage },
  { path: "/events", title: "Events", component: Events, nav: { icon: "event", group: "Work" } },
  { path: "/events/:id", title: "Event", component: EventPage },
  {
    path: "/inference",
    title: "Inference",
    component: Inference,
    nav: { icon: "search", group: "Work" },
  },
  {
    path: "/connect",
    title: "Connect",
    component: Connect,
    nav: { icon: "plus", group: "Project" },
  },
  {
    path: "/connections",
    title: "Connections",
    component: Connections,
    nav: { icon: "link", group: "Project" },
  },
  {
    path: "/transfer",
    title: "Export and import",
    component: Transfer,
    nav: { icon: "transfer", group: "Project" },
  },
  {
    path: "/settings",
    title: "Keys and settings",
    component: Settings,
    nav: { icon: "key", group: "Project" },
  },
];

/** Service-wide pages. */
export const SERVICE_PAGES: readonly PageEntry[] = [
  {
    path: "/projects",
    title: "Projects",
    component: Projects,
    nav: { icon: "project", group: "Service" },
  },
  {
    path: "/health",
    title: "Health",
    component: Health,
    nav: { icon: "health", group: "Service" },
  },
];
