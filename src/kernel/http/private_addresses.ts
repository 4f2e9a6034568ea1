/**
 * Addresses off-limits to connections that a client can ask for, such as webhooks: this machine,
 * private networks and reserved ranges.
 */

import ipaddr from "ipaddr.js";
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

/** The only block IANA has allocated for IPv6 global unicast (RFC 4291, 2.4). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Checks whether an IP address is not publicly reachable. Only global unicast addresses count as
 * public. IPv4-mapped IPv6 addresses are checked as the IPv4 address they contain. Anything that
 * isn't an IP address counts as private.
 *
 * @example
 * ```ts
 * import { isPrivateAddress } from "./private_addresses.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(isPrivateAddress("192.168.0.1"), true);
 * strictEqual(isPrivateAddress("::ffff:192.168.0.1"), true);
 * strictEqual(isPrivateAddress("1.1.1.1"), false);
 * ```
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return true;
  // The library parses IPv4-compatible "::8.8.8.8" as IPv4-mapped "::ffff:8.8.8.8".
  if (/^(?!::ffff:).*:.*\./i.test(address)) return true;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return true;
  return parsed instanceof ipaddr.IPv6 && !parsed.match(IPV6_GLOBAL_UNICAST);
}

/**
 * Returns the IP address if that's what a URL's host name is, or null if the name needs resolving.
 */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? null : bare;
}

/**
 * Returns a lookup that fails with PRIVATE_ADDRESS for names resolving to a private address. Used by
 * the connection itself, so a name can't resolve to a different address after the check.
 */
export function guardedLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => isPrivateAddress(address));
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        callback(error ?? new Error("unknown host"), "", 4);
      } else if (!allowPrivate && refused !== undefined) {
        callback(Object.assign(new Error(refused.address), { code: "PRIVATE_ADDRESS" }), "", 4);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
