/**
 * Where one is: the part of the address after `#`, `#/PROJECT/memories/mem_…?q=…`. Pages of the
 * whole service stand under `-`, which no project is called.
 */

import { useEffect, useState } from "preact/hooks";
import { type Query, queryString } from "./api.ts";

/** In place of a project's name, for pages of the whole service. */
export const SERVICE_SEGMENT = "-";

/** An address, taken apart. */
export interface Route {
  /** The name of a project, or `SERVICE`; empty at the root. */
  readonly project: string;
  /** What follows, beginning with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Takes an address apart. */
export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [project = "", ...rest] = path.split("/").map(decodeSegment);
  return {
    project,
    path: `/${rest.map(encodeURIComponent).join("/")}`,
    query: new URLSearchParams(search),
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

/** The address of a page: `href("default", "/memories", {q: "piano"})`. */
export function href(project: string, path: string, query: Query = {}): string {
  return `#/${project}${path === "/" ? "" : path}${queryString(query)}`;
}

/** Goes to a page; `replace` leaves the page before it out of the history. */
export function navigate(address: string, mode: "push" | "replace" = "push"): void {
  if (mode === "push") location.hash = address;
  else {
    history.replaceState(null, "", address);
    globalThis.dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

/** Where one is now; renders again when that changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

/** The variables of a path that fits a template such as `/memories/:id`; null when it doesn't. */
export function matchPath(template: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const variables: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    if (segment.startsWith(":")) variables[segment.slice(1)] = decodeSegment(given[index]!);
    else if (segment !== given[index]) return null;
  }
  return variables;
}
