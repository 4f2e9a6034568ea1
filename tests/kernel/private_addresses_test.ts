/** Checks, range by range, which addresses webhooks can't reach. */

import { strictEqual } from "node:assert/strict";
import { isPrivateAddress, literalAddress } from "../../src/kernel/http/private_addresses.ts";

/** Ranges to reject, each with its first and last address or with typical ones. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "this network (RFC 791)": ["0.0.0.0", "0.255.255.255"],
  "private use (RFC 1918)": [
    ...["10.0.0.0", "10.255.255.255"],
    ...["172.16.0.0", "172.31.255.255"],
    ...["192.168.0.0", "192.168.255.255"],
  ],
  "carrier-grade NAT (RFC 6598)": ["100.64.0.0", "100.127.255.255"],
  "loopback (RFC 1122)": ["127.0.0.0", "127.0.0.1", "127.255.255.255"],
  "link-local (RFC 3927)": ["169.254.0.0", "169.254.169.254", "169.254.255.255"],
  "protocol assignments (RFC 6890)": ["192.0.0.0", "192.0.0.255"],
  "documentation (RFC 5737)": ["192.0.2.1", "198.51.100.1", "203.0.113.1"],
  "6to4 relays (RFC 7526)": ["192.88.99.1"],
  "AS112 (RFC 7534, RFC 7535)": ["192.31.196.1", "192.175.48.1"],
  "AMT (RFC 7450)": ["192.52.193.1"],
  "benchmarks (RFC 2544)": ["198.18.0.0", "198.19.255.255"],
  "multicast (RFC 5771)": ["224.0.0.0", "239.255.255.255"],
  "reserved (RFC 1112)": ["240.0.0.0", "255.255.255.254"],
  "broadcast (RFC 919)": ["255.255.255.255"],
  "unspecified in IPv6 (RFC 4291)": ["::", "0:0:0:0:0:0:0:0"],
  "loopback in IPv6 (RFC 4291)": ["::1"],
  "IPv4-compatible (RFC 4291)": ["::127.0.0.1", "::8.8.8.8", "0:0:0:0:0:0:8.8.8.8", "::808:808"],
  "IPv4-mapped private addresses (RFC 4291)": [
    "::ffff:0.0.0.0",
    "::ffff:10.0.0.1",
    "::ffff:a00:1",
    "::FFFF:A00:1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:192.168.0.1",
    "0:0:0:0:0:ffff:c0a8:1",
  ],
  "IPv4-translated (RFC 2765)": ["::ffff:0:8.8.8.8", "::ffff:0:127.0.0.1"],
  "NAT64 (RFC 6052)": ["64:ff9b::8.8.8.8", "64:ff9b::a00:1"],
  "local NAT64 (RFC 8215)": ["64:ff9b:1::", "64:ff9b:1::a00:1"],
  "discard-only (RFC 6666)": ["100::", "100::1"],
  "Teredo (RFC 4380)": ["2001::", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  "benchmarks in IPv6 (RFC 5180)": ["2001:2::1"],
  "ORCHID (RFC 4843, RFC 7343)": ["2001:10::1", "2001:20::1"],
  "protocol assignments in IPv6 (RFC 2928)": ["2001:1::1", "2001:1ff:ffff::1"],
  "documentation in IPv6 (RFC 3849, RFC 9637)": ["2001:db8::1", "3fff::1", "3fff:fff::1"],
  "6to4 (RFC 3056)": ["2002::", "2002:a00:1::1", "2002:808:808::1"],
  "segment routing (RFC 9602)": ["5f00::1"],
  "not allocated (RFC 4291)": ["200::1", "1fff::1", "4000::1", "e000::1"],
  "unique local (RFC 4193)": ["fc00::", "fd00::1", "fdff:ffff::1"],
  "link-local in IPv6 (RFC 4291)": ["fe80::1", "fe80::1%eth0", "febf::1"],
  "site-local (RFC 3879)": ["fec0::1", "feff::1"],
  "multicast in IPv6 (RFC 4291)": ["ff00::", "ff02::1", "ff0e::1"],
  "text that is not an address": ["", "localhost", "127.1", "0x7f000001", "010.0.0.1", "1.1.1.1.1"],
};

for (const [range, addresses] of Object.entries(REFUSED)) {
  Deno.test(`isPrivateAddress() returns true for ${range}`, () => {
    for (const address of addresses) strictEqual(isPrivateAddress(address), true, address);
  });
}

Deno.test("isPrivateAddress() returns false for addresses next to the rejected IPv4 ranges", () => {
  for (
    const address of [
      ...["1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0"],
      ...["100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
      ...["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"],
      ...["192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0"],
      "223.255.255.255",
    ]
  ) {
    strictEqual(isPrivateAddress(address), false, address);
  }
});

Deno.test("isPrivateAddress() returns false for global unicast addresses in IPv6", () => {
  for (
    const address of ["2000::1", "2001:200::1", "2003::1", "2606:4700::1111", "2a00:1450::1"]
  ) {
    strictEqual(isPrivateAddress(address), false, address);
  }
});

Deno.test("isPrivateAddress() returns false for an IPv4-mapped public address", () => {
  for (const address of ["::ffff:8.8.8.8", "::ffff:808:808"]) {
    strictEqual(isPrivateAddress(address), false, address);
  }
});

Deno.test("literalAddress() returns the address if a host name is one", () => {
  for (
    const [url, expected] of [
      ["http://127.0.0.1/", "127.0.0.1"],
      ["http://[::1]/", "::1"],
      // URLs normalize other notations for IPv4 addresses.
      ["http://2130706433/", "127.0.0.1"],
      ["http://0x7f.1/", "127.0.0.1"],
      ["http://017700000001/", "127.0.0.1"],
      ["http://[::ffff:10.0.0.1]/", "::ffff:a00:1"],
      ["http://localhost/", null],
      ["https://app.example/", null],
    ] as const
  ) {
    strictEqual(literalAddress(new URL(url).hostname), expected, url);
  }
});
