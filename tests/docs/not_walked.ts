/** Code blocks that no test runs or compares, and why. All others are tested. */

/** A single block, identified by how it begins. */
export interface NotWalked {
  readonly page: string;
  readonly beginning: string;
  readonly reason: string;
}

const CLIENT = "a file for a client that isn't installed; tests/mcp/ starts and calls the same";
const MINUTES = "takes minutes";
const NPM = "downloads packages; deno task integrations runs it";
const FILES = "settings of a service; tests/uploads/remote_files_test.ts runs it";
const PDFS = `${MINUTES}, and needs six programs that make PDFs`;
const BALANCERS = "deno task integrations balancers runs it";
const CODE = "shows the form of code in src/";

/** The page, the beginning of the block, and the reason. */
const TABLE: readonly (readonly [page: string, beginning: string, reason: string])[] = [
  ["README.md", "npx -y deno@2.9.6 task serve", "fetches Deno"],
  ["README.md", "npx -y @commonplace/server", "needs a published package"],
  ["README.md", "deno task build", `${MINUTES}; covered by tests/smoke/executable_test.ts`],
  ["README.md", "deno task ok", "runs all checks, which include this test"],
  ["CONTRIBUTING.md", "deno install", "runs all checks, which include this test"],

  ["docs/install.md", "npx -y @commonplace/server", "needs a published package"],
  ["docs/install.md", "deno task package", "takes minutes; tests/integrations/ runs it"],
  ["docs/install.md", "du -sm", "measures packages that only a clean clone has"],
  ["docs/executable.md", "deno task build", `${MINUTES}, and needs a second machine`],
  ["docs/executable.md", "what ", "figures printed by one build"],
  [
    "docs/executable.md",
    "commonplace: Can't unpack",
    "tests/smoke/executable_test.ts fills a disk",
  ],
  [
    "docs/executable.md",
    "deno task smoke",
    "runs tests/smoke/source_test.ts and executable_test.ts",
  ],
  ["docs/search.md", "deno task commonplace embedder", "tests/cli/embedder_test.ts runs it"],
  ["docs/search.md", "Embedder  multilingual", "tests/cli/embedder_test.ts runs it"],
  ["docs/hostile.md", "deno task hostile", `${MINUTES}; tests/hostile/ runs it with --size 20`],
  ["docs/hostile.md", "pip install", `${MINUTES}, and fetches schemathesis`],

  ["docs/postgresql.md", "COMMONPLACE_BLOB_URL=file", FILES],
  ["docs/postgresql.md", "COMMONPLACE_BLOB_URL=s3", FILES],

  ["docs/mcp.md", "# a running server", "needs Claude Code; tests/mcp/ acts as the client"],
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
  [
    "docs/guides/web_assistants.md",
    "commonplace serve --public-url",
    "needs an address on the internet; tests/oauth/ uses a loopback one",
  ],
  [
    "docs/guides/web_assistants.md",
    "commonplace connections",
    "needs a connection; tests/oauth/ runs the same commands",
  ],
  ["docs/guides/web_assistants.md", "cloudflared", "opens a tunnel"],
  [
    "docs/guides/clients/claude_code.md",
    "claude mcp add",
    "needs Claude Code; tests/integrations/connect-claude-code runs it",
  ],
  [
    "docs/inference.md",
    '"warnings": [{',
    "tests/inference_service/isolation_test.ts provokes it",
  ],
  ["docs/variants.md", '{\n  "id": "evt_…"', "tests/hosted/webhooks_test.ts receives it"],

  ["docs/guides/container.md", "deno task build", "needs a container engine"],
  ["docs/guides/container.md", "printf 'cpl_…' | podman", "needs a container engine"],
  ["docs/guides/systemd.md", "deno task build", "needs systemd and root"],
  ["docs/guides/systemd.md", "sudo install -m 600", "needs root"],
  ["docs/guides/systemd.md", "sudo commonplace keys", "needs root"],
  ["docs/guides/systemd.md", "[Service]", "a file for systemd"],
  ["docs/guides/proxy.md", "memory.example.org {", "a file for Caddy"],
  ["docs/guides/proxy.md", "server {", "a file for nginx"],
  ["docs/guides/balancer.md", "memory.example.org {", BALANCERS],
  ["docs/guides/balancer.md", "upstream commonplace {", BALANCERS],
  ["docs/guides/balancer.md", "http:", "a file for Traefik, which isn't installed"],
  ["docs/guides/high_availability.md", "synchronous_standby_names", "a file for PostgreSQL"],
  [
    "docs/guides/high_availability.md",
    "COMMONPLACE_DATABASE_URL",
    "needs two servers of PostgreSQL",
  ],
  ["docs/guides/high_availability.md", "[databases]", "a file for PgBouncer"],

  ["docs/coming_from/memory_server.md", '{ "mcpServers"', CLIENT],
  ["docs/mem0.md", "import json", "deno task integrations mem0-python runs it"],
  ["docs/mem0.md", "commonplace import", "deno task integrations mem0-python runs it"],
  ["docs/mem0.md", "from mem0", "deno task integrations mem0-python runs it"],
  ["docs/mem0.md", "import { MemoryClient }", "deno task integrations mem0-node runs it"],
  ["docs/clients/typescript.md", "deno task client:typescript", NPM],

  ["docs/clients/python.md", "pip install", "deno task integrations python-client runs it"],

  ["docs/filters.md", "filter    :=", "a grammar"],
  ["docs/adr/0101-pdf-layout.md", "python3 scripts/eval/pdf_set/make.py", PDFS],
  ["docs/adr/0101-pdf-layout.md", "python3 scripts/eval/rtl_set/make.py", PDFS],
  ["docs/adr/0101-pdf-layout.md", "deno task eval pdf_tables", "needs the files of a competition"],
  ["docs/adr/0100-extraction-libraries.md", "python3 scripts/eval/scan_set/make.py", PDFS],
  ["docs/adr/0300-chunking.md", "chunk(", CODE],
  ["docs/adr/0301-multipart.md", "commandEndpoint(", CODE],
  ["docs/adr/0600-mcp.md", "{ name:", CODE],
  ["docs/adr/0602-mem0-api.md", '["/v3"', CODE],
  ["docs/adr/0900-dashboard.md", "mountEndpoints(", CODE],
];

export const NOT_WALKED: readonly NotWalked[] = TABLE.map(([page, beginning, reason]) => ({
  page,
  beginning,
  reason,
}));

/** Pages that need large packages, and the argument of `deno task integrations` that walks them. */
export const NEED_PACKAGES: Readonly<Record<string, string>> = {
  "docs/clients/google_adk.md": "google-adk",
  "docs/clients/langchain.md": "langchain",
  "docs/clients/llama_index.md": "llama-index",
  "docs/clients/openai_agents.md": "openai-agents",
  "docs/clients/pydantic_ai.md": "pydantic-ai",
};
