/** The blocks of pages that no test runs or compares, and why. Everything else is walked. */

/** One block, known by how it begins. */
export interface NotWalked {
  readonly page: string;
  readonly begins: string;
  readonly why: string;
}

const CLIENT = "the file of a client that is not here; tests/mcp/ starts and asks the same";
const MINUTES = "takes minutes";
const CODE = "shows the form of code in src/";

/** Page, how the block begins, why. */
const TABLE: readonly (readonly [page: string, begins: string, why: string])[] = [
  ["README.md", "npx -y deno@2.9.6 task serve", "fetches Deno"],
  ["README.md", "deno task build", `${MINUTES}; tests/smoke/executable_test.ts does it`],
  ["README.md", "deno task ok", "is the gate that this is part of"],
  ["CONTRIBUTING.md", "deno install", "is the gate that this is part of"],

  ["docs/executable.md", "deno task build", `${MINUTES}, and wants a second machine`],
  ["docs/executable.md", "what ", "figures of one build, which prints them"],
  [
    "docs/executable.md",
    "commonplace: Can't unpack",
    "tests/smoke/executable_test.ts fills a disk",
  ],
  ["docs/executable.md", "deno task smoke", "is tests/smoke/source_test.ts and executable_test.ts"],
  ["docs/hostile.md", "deno task hostile", `${MINUTES}; tests/hostile/ does it with --size 20`],
  ["docs/hostile.md", "pip install", `${MINUTES}, and fetches schemathesis`],

  ["docs/mcp.md", "# a running server", "wants Claude Code; tests/mcp/ plays the client"],
  ["docs/mcp.md", "// Cursor", CLIENT],
  ["docs/mcp.md", "# Codex", CLIENT],
  [
    "docs/mcp.md",
    '{\n  "mcpServers": {\n    "commonplace": {\n      "command": "commonplace",\n' +
    '      "args": ["mcp", "--data"',
    CLIENT,
  ],
  [
    "docs/mcp.md",
    '{\n  "mcpServers": {\n    "commonplace": {\n      "command": "commonplace",\n' +
    '      "args": ["mcp", "--url"',
    CLIENT,
  ],
  ["docs/mcp.md", "http://127.0.0.1:8420/mcp?", "an address and a client's command; tests/mcp/"],
  ["docs/variants.md", '{\n  "id": "evt_…"', "tests/hosted/webhooks_test.ts receives it"],

  ["docs/guides/container.md", "deno task build", "wants a container engine"],
  ["docs/guides/container.md", "printf 'cpl_…' | podman", "wants a container engine"],
  ["docs/guides/systemd.md", "deno task build", "wants systemd and root"],
  ["docs/guides/systemd.md", "sudo install -m 600", "wants root"],
  ["docs/guides/systemd.md", "sudo commonplace keys", "wants root"],
  ["docs/guides/systemd.md", "[Service]", "a file for systemd"],
  ["docs/guides/proxy.md", "memory.example.org {", "a file for Caddy"],
  ["docs/guides/proxy.md", "server {", "a file for nginx"],

  ["docs/filters.md", "filter    :=", "a grammar"],
  ["docs/adr/0300-chunking.md", "chunk(", CODE],
  ["docs/adr/0301-multipart.md", "commandEndpoint(", CODE],
  ["docs/adr/0600-mcp.md", "{ name:", CODE],
  ["docs/adr/0900-dashboard.md", "mountEndpoints(", CODE],
];

export const NOT_WALKED: readonly NotWalked[] = TABLE.map(([page, begins, why]) => ({
  page,
  begins,
  why,
}));
