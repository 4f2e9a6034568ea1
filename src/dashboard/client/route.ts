/**
 * The current page, taken from the address after `#`: `#/PROJECT/memories/mem_…?q=…`. Service-wide
 * pages have `-` in place of a project name, since that's not a valid one.
 */

import { useEffect, useState } from "preact/hooks";
import { type Query, queryString } from "./api.ts";

/** First segment of a service-wide page's address, in place of a project name. */
export const SERVICE_SEGMENT = "-";

/** A parsed address. */
export interface Route {
  /** Project name, `SERVICE_SEGMENT`, or an empty string at the root. */
  readonly project: string;
  /** Path after the first segment, with a leading slash. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Parses an address's hash. */
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

/** Returns a page's address: `href("default", "/memories", {q: "piano"})`. */
export function href(project: string, path: string, query: Query = {}): string {
  return `#/${project}${path === "/" ? "" : path}${queryString(query)}`;
}

/** Opens a page. With `replace`, the current page isn't kept in the browser history. */
export function navigate(address: string, mode: "push" | "replace" = "push"): void {
  if (mode === "push") location.hash = address;
  else {
    history.replaceState(null, "", address);
    globalThis.dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

/** Returns the current route and re-renders when it changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onHashChange = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  return route;
}

/**
 * Matches a path with a template like `/memories/:id`. Returns its parameters, or null if it
 * doesn't match.
 */
export function matchPath(template: string, path: string): Readonly<Record<string, string>> | null {
  const [expected, actual] = [template.split("/"), path.split("/")];
  if (expected.length !== actual.length) return null;
  const variables: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    if (segment.startsWith(":")) variables[segment.slice(1)] = decodeSegment(actual[index]!);
    else if (segment !== actual[index]) return null;
  }
  return variables;
}
