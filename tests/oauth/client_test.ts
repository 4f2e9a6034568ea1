/** The protocol's official client goes from 401 to a tool call, a refresh and a revocation. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { CALLBACK, decide, type Decision, postForm } from "./owner.ts";

/** Keeps what the client learns in memory, as a desktop application would on disk. */
class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: "Test client", redirect_uris: [CALLBACK] };
  #client: OAuthClientInformationMixed | undefined;
  #verifier = "";
  #discovery: Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;
  saved: OAuthTokens | undefined;
  opened: URL | undefined;

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.#client = client);
  tokens = () => this.saved;
  saveTokens = (tokens: OAuthTokens) => void (this.saved = tokens);
  redirectToAuthorization = (url: URL) => void (this.opened = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  discoveryState = () => this.#discovery;
  saveDiscoveryState = (
    state: NonNullable<Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>>,
  ) => void (this.#discovery = state);
  state = () => "a state";
  invalidateCredentials = () => void (this.saved = undefined);
}

async function connectClient(
  server: TestServer,
  provider: MemoryProvider,
  decision: Decision,
  query = "",
): Promise<Client> {
  const url = new URL(`${server.url}/mcp${query}`);
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await rejects(newClient().connect(transport), UnauthorizedError);
  const back = await decide(server, provider.opened!, decision);
  strictEqual(back.searchParams.get("state"), "a state");
  await transport.finishAuth(back.searchParams);
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
  return client;
}

function newClient(): Client {
  return new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode: "auto" } });
}

Deno.test("the official client connects, calls a tool, refreshes its token and revokes it", async () => {
  await withServer(async (server) => {
    const provider = new MemoryProvider();
    const client = await connectClient(server, provider, { user_id: "ana" }, "?user_id=ana");
    const added = await client.callTool({
      name: "add_memory",
      arguments: { content: "Ana keeps bees", infer: false },
    });
    ok(!added.isError, JSON.stringify(added));
    const { json: { results } } = await server.call("GET", "/v1/memories?user_id=ana");
    deepStrictEqual(results.map(({ memory }: { memory: string }) => memory), ["Ana keeps bees"]);

    const first = provider.saved!;
    // A token that the server no longer accepts makes the client refresh.
    provider.saved = { ...first, access_token: "cpt_expired" };
    ok((await client.listTools()).tools.length > 0);
    ok(provider.saved.access_token !== first.access_token, "the client has a new access token");
    ok(provider.saved.refresh_token !== first.refresh_token, "and a new refresh token");

    const revoked = await postForm(`${server.url}/oauth/revoke`, {
      token: provider.saved.refresh_token!,
      client_id: (provider.clientInformation() as { client_id: string }).client_id,
    });
    strictEqual(revoked.status, 200);
    await rejects(client.listTools(), UnauthorizedError);
    await client.close();
  });
});
