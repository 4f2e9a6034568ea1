/** Which address counts as the client's, behind proxies that are trusted and ones that aren't. */

import { strictEqual } from "node:assert/strict";
import { createClientAddress, trustedProxiesProblem } from "../../src/http/client_address.ts";

const CASES: readonly (readonly [
  rule: string,
  trusted: string,
  forwarded: string | null,
  remote: string,
  expected: string,
])[] = [
  ["without a proxy", "", null, "192.0.2.1", "192.0.2.1"],
  ["a header from anyone else is ignored", "10.0.0.1", "192.0.2.9", "192.0.2.1", "192.0.2.1"],
  ["the proxy's addition", "10.0.0.1", "192.0.2.9", "10.0.0.1", "192.0.2.9"],
  ["the last addition counts", "10.0.0.1", "203.0.113.1, 192.0.2.9", "10.0.0.1", "192.0.2.9"],
  ["two proxies", "10.0.0.0/8", "203.0.113.1, 192.0.2.9, 10.2.3.4", "10.0.0.1", "192.0.2.9"],
  ["no header", "10.0.0.1", null, "10.0.0.1", "10.0.0.1"],
  ["nonsense", "10.0.0.1", "192.0.2.9, unknown", "10.0.0.1", "10.0.0.1"],
  ["only proxies", "10.0.0.0/8", "10.0.0.3", "10.0.0.1", "10.0.0.3"],
  ["a port", "10.0.0.1", "192.0.2.9:51000", "10.0.0.1", "192.0.2.9"],
  ["an IPv6 client's network", "", null, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["an IPv6 address with a port", "::1", "[2001:db8:1:2::9]:443", "::1", "2001:db8:1:2::"],
  ["an IPv4 address in IPv6", "127.0.0.1", "192.0.2.9", "::ffff:127.0.0.1", "192.0.2.9"],
];

Deno.test("createClientAddress() reads X-Forwarded-For from the end, past trusted proxies only", () => {
  for (const [rule, trusted, forwarded, remote, expected] of CASES) {
    const headers = new Headers(forwarded === null ? {} : { "x-forwarded-for": forwarded });
    strictEqual(createClientAddress(trusted)(headers, remote), expected, rule);
  }
});

Deno.test("trustedProxiesProblem() accepts addresses and ranges only", () => {
  for (const list of ["", "127.0.0.1", "::1, 10.0.0.0/8", "2001:db8::/32"]) {
    strictEqual(trustedProxiesProblem(list), null, list);
  }
  for (const list of ["localhost", "127.1", "10.0.0.0/33", "10.0.0.0/x", "127.0.0.1;::1"]) {
    strictEqual(trustedProxiesProblem(list)?.startsWith("must be"), true, list);
  }
});
