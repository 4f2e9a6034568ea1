/** The address of the client behind proxies, for limits on failures. */

import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Returns a client's address, given a request's headers and the address of the connection. */
export type ClientAddress = (headers: Headers, remote: string) => string;

/**
 * Returns what's wrong with a list of proxies, phrased to follow the setting's name, or null.
 *
 * @example
 * ```ts
 * import { trustedProxiesProblem } from "./client_address.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(trustedProxiesProblem("127.0.0.1, 10.0.0.0/8"), null);
 * strictEqual(trustedProxiesProblem("proxy"), 'must be addresses or ranges, not "proxy"');
 * ```
 */
export function trustedProxiesProblem(list: string): string | null {
  const invalid = split(list).find((entry) => toRange(entry) === null);
  return invalid === undefined ? null : `must be addresses or ranges, not "${invalid}"`;
}

/** Creates a function that checks whether an address is a trusted proxy's. */
export function createProxyCheck(trustedProxies: string): (address: string) => boolean {
  const trusted = split(trustedProxies).map(toRange).filter((range) => range !== null);
  return (address) => trusted.some((range) => contains(range, address));
}

/**
 * Creates a function that returns a client's address. Each proxy adds the address it got the request
 * from to `X-Forwarded-For`. Read from the end, the first address that isn't a trusted proxy's is
 * the client's; anything before it could be made up by the client.
 *
 * @example
 * ```ts
 * import { createClientAddress } from "./client_address.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const headers = new Headers({ "x-forwarded-for": "192.0.2.9, 192.0.2.1" });
 * strictEqual(createClientAddress("127.0.0.1")(headers, "127.0.0.1"), "192.0.2.1");
 * strictEqual(createClientAddress("")(headers, "127.0.0.1"), "127.0.0.1");
 * ```
 */
export function createClientAddress(trustedProxies: string): ClientAddress {
  const isTrusted = createProxyCheck(trustedProxies);
  return (headers, remote) => {
    let client = remote;
    const forwarded = split(headers.get("x-forwarded-for") ?? "").map(withoutPort);
    while (isTrusted(client)) {
      const before = forwarded.pop();
      if (before === undefined || isIP(before) === 0) break;
      client = before;
    }
    return network(client);
  };
}

/**
 * Returns the part of an address that one client has. With IPv6, that's usually a /64 network with
 * more addresses than any limit could count.
 */
function network(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString();
}

function split(list: string): string[] {
  return list.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
}

function toRange(entry: string): Range | null {
  const [address = "", bits] = entry.split("/", 2);
  if (isIP(address) === 0) return null;
  const maxBits = isIP(address) === 4 ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits)) return null;
  return ipaddr.parseCIDR(`${address}/${bits ?? maxBits}`);
}

function contains(range: Range, address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return parsed.kind() === range[0].kind() && parsed.match(range);
}

/** Some proxies add the port: `192.0.2.1:51000`, `[2001:db8::1]:51000`. */
function withoutPort(entry: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}
