/** Serves the dashboard files. Each is read and compressed once, and cached under its hash. */

import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import type { Hono } from "hono";
import { refuseOtherMethods } from "../http/mount.ts";
import type { RequestContext, RequestEnv } from "../http/request.ts";
import { sha256 } from "../kernel/hash.ts";

const ASSETS_URL = new URL("../../assets/dashboard/", import.meta.url);

/**
 * Only allows the page's own files. Text can't be turned into code or styles, and no other page can
 * frame this one.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const CONTENT_TYPES = {
  "app.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

type AssetName = keyof typeof CONTENT_TYPES;

interface StoredFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly hash: string;
}

/** Serves the page at `/` and its files under `/dashboard/assets`. */
export function fileRoutes(app: Hono<RequestEnv>): void {
  let files: Map<string, StoredFile> | undefined;
  const file = (name: string) => (files ??= loadFiles()).get(name);

  app.get("/", (c) => respondWithFile(c, "/", file("index.html")!, "no-cache"));
  refuseOtherMethods(app, "/", ["GET"]);

  app.get("/dashboard/assets/:name", (c) => {
    const found = file(c.req.param("name"));
    if (found === undefined || c.req.param("name") === "index.html") return c.notFound();
    // The page links to each file by hash, so the file at a given URL never changes.
    const isVersioned = c.req.query("v") === found.hash;
    const caching = isVersioned ? "public, max-age=31536000, immutable" : "no-cache";
    return respondWithFile(c, "/dashboard/assets/{name}", found, caching);
  });
  refuseOtherMethods(app, "/dashboard/assets/:name", ["GET"]);
}

function respondWithFile(
  c: RequestContext,
  route: string,
  file: StoredFile,
  caching: string,
): Response {
  c.set("route", route);
  const acceptsGzip = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
  const etag = `"${file.hash}${acceptsGzip ? "-gzip" : ""}"`;
  const headers = {
    "content-type": file.type,
    "cache-control": caching,
    etag,
    vary: "accept-encoding",
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-request-id": c.get("requestId"),
  };
  const knownTags = (c.req.header("if-none-match") ?? "").split(",").map((tag) => tag.trim());
  if (knownTags.includes(etag)) return new Response(null, { status: 304, headers });
  const bytes = acceptsGzip ? file.gzipped : file.bytes;
  const encoding = acceptsGzip ? { "content-encoding": "gzip" } : {};
  // Set explicitly because a HEAD response has no body to measure.
  const length = { "content-length": String(bytes.length) };
  return new Response(bytes, { headers: { ...headers, ...encoding, ...length } });
}

function loadFiles(): Map<string, StoredFile> {
  const files = new Map<string, StoredFile>();
  for (const name of Object.keys(CONTENT_TYPES) as AssetName[]) {
    files.set(name, toStoredFile(readFileSync(new URL(name, ASSETS_URL)), CONTENT_TYPES[name]));
  }
  const page = readFileSync(new URL("index.html", ASSETS_URL), "utf8")
    .replaceAll(
      /\/dashboard\/assets\/([\w.]+)/g,
      (path, name) => `${path}?v=${files.get(name)!.hash}`,
    );
  files.set("index.html", toStoredFile(new TextEncoder().encode(page), "text/html; charset=utf-8"));
  return files;
}

function toStoredFile(content: Uint8Array, type: string): StoredFile {
  return {
    type,
    bytes: new Uint8Array(content),
    gzipped: new Uint8Array(gzipSync(content, { level: 9 })),
    hash: sha256(content).slice(0, 16),
  };
}
