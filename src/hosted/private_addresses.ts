/** Addresses that no webhook may reach: this machine, its networks, and what is no host at all. */

import { BlockList, isIP } from "node:net";

/** Special-purpose addresses (IANA registries, RFC 6890 and after). */
const NON_GLOBAL_NETWORKS: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
];

const blocked = new BlockList();
for (const [network, prefix] of NON_GLOBAL_NETWORKS) {
  blocked.addSubnet(network, prefix, isIP(network) === 6 ? "ipv6" : "ipv4");
}

/** Whether an IP address is one of this machine or of a private network. */
export function isPrivateAddress(address: string): boolean {
  const mapped = mappedIpv4(address);
  return blocked.check(mapped ?? address, mapped !== null || isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** The address that a URL's host name is by itself, or null for a name that has to be resolved. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? null : bare;
}

/** An IPv4 address that stands in an IPv6 one (RFC 4291, 2.5.5.2), which URLs write in hex. */
function mappedIpv4(address: string): string | null {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) {
    return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? null;
  }
  const value = parseInt(high, 16) * 0x1_0000 + parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}
