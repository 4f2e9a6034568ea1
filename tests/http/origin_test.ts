/** Tests the address a client uses to reach the service, directly or through a proxy. */

import { strictEqual } from "node:assert/strict";
import { originOf } from "../../src/http/origin.ts";

const origin = (headers: Record<string, string>) => originOf(new Headers(headers));

Deno.test("originOf() returns the address that a proxy forwards", () => {
  const host = "127.0.0.1:8420";
  strictEqual(origin({ host }), "http://127.0.0.1:8420");
  const proxied = { "x-forwarded-proto": "https", "x-forwarded-host": "memory.example" };
  strictEqual(origin({ host, ...proxied }), "https://memory.example");
});

Deno.test("originOf() ignores a host that can't be part of a URL", () => {
  strictEqual(origin({ host: "[::1]:80", "x-forwarded-host": "a b/c" }), "http://[::1]:80");
  strictEqual(origin({ host: "[" }), "http://localhost");
});
