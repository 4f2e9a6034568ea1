/**
 * Where one is: the part of the address after `#`, `#/PROJECT/memories/mem_…?q=…`. Pages of the
 * whole service stand under `-`, which no project is called.
 */

import { useEffect, useState } from "preact/hooks";
import { type Query, searchOf } from "./api.ts";

/** In place of a project's name, for pages of the whole service. */
export const SERVICE = "-";

/** An address, taken apart. */
export interface Route {
  /** The name of a project, or `SERVICE`; empty at the root. */
  readonly place: string;
  /** What follows, beginning with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Takes an address apart. */
export function routeOf(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [place = "", ...rest] = path.split("/").map(decode);
  return {
    place,
    path: `/${rest.map(encodeURIComponent).join("/")}`,
    query: new URLSearchParams(search),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

/** The address of a page: `href("default", "/memories", {q: "piano"})`. */
export function href(place: string, path: string, query: Query = {}): string {
  return `#/${place}${path === "/" ? "" : path}${searchOf(query)}`;
}

/** Goes to a page; `replace` leaves the page before it out of the history. */
export function go(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") location.hash = address;
  else {
    history.replaceState(null, "", address);
    globalThis.dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

/** Where one is now; renders again when that changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const changed = () => setRoute(routeOf(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

/** The variables of a path that fits a template such as `/memories/:id`; null when it doesn't. */
export function match(template: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const variables: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    if (segment.startsWith(":")) variables[segment.slice(1)] = decode(given[index]!);
    else if (segment !== given[index]) return null;
  }
  return variables;
}
