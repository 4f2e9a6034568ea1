/** The sign-in of the protocol's official client, with any kind of owner. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { TestServer } from "../../testing/harness.ts";
import { postForm } from "./owner.ts";

const STATE = "a state";

type DiscoveryState = NonNullable<
  Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>
>;

/** Keeps what the client learns in memory, as a desktop application would on disk. */
class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = "";
  #discovery: DiscoveryState | undefined;
  saved: OAuthTokens | undefined;
  opened: URL | undefined;

  constructor(callback: string) {
    this.redirectUrl = callback;
    this.clientMetadata = { client_name: "Test client", redirect_uris: [callback] };
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.#client = client);
  tokens = () => this.saved;
  saveTokens = (tokens: OAuthTokens) => void (this.saved = tokens);
  redirectToAuthorization = (url: URL) => void (this.opened = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  discoveryState = () => this.#discovery;
  saveDiscoveryState = (state: DiscoveryState) => void (this.#discovery = state);
  state = () => STATE;
  invalidateCredentials = () => void (this.saved = undefined);
}

/** The owner: opens the client's address, allows access, and returns where the browser was sent. */
export type Owner = (authorizationUrl: URL) => Promise<URL>;

/**
 * Goes from 401 to a tool call, a refresh and a revocation.
 *
 * @param callback the address that the browser is sent back to
 */
export async function checkOfficialClient(
  server: TestServer,
  callback: string,
  owner: Owner,
): Promise<void> {
  const url = new URL(`${server.url}/mcp?user_id=ana`);
  const provider = new MemoryProvider(callback);
  const newTransport = () => new StreamableHTTPClientTransport(url, { authProvider: provider });
  const transport = newTransport();
  await rejects(newClient().connect(transport), UnauthorizedError);
  const back = await owner(provider.opened!);
  strictEqual(back.searchParams.get("state"), STATE);
  await transport.finishAuth(back.searchParams);
  const client = newClient();
  await client.connect(newTransport());

  const added = await client.callTool({
    name: "add_memory",
    arguments: { content: "Ana keeps bees", infer: false },
  });
  ok(!added.isError, JSON.stringify(added));
  const { json: { results } } = await server.call("GET", "/v1/memories?user_id=ana");
  const memories = results.map(({ memory }: { memory: string }) => memory);
  deepStrictEqual(memories, ["Ana keeps bees"]);

  const first = provider.saved!;
  // A token that the server no longer accepts makes the client refresh.
  provider.saved = { ...first, access_token: "cpt_expired" };
  ok((await client.listTools()).tools.length > 0);
  ok(provider.saved.access_token !== first.access_token, "the client has a new access token");
  ok(provider.saved.refresh_token !== first.refresh_token, "and a new refresh token");

  const revoked = await postForm(`${server.url}/oauth/revoke`, {
    token: provider.saved.refresh_token!,
    client_id: provider.clientInformation()!.client_id,
  });
  strictEqual(revoked.status, 200);
  await rejects(client.listTools(), UnauthorizedError);
  await client.close();
}

function newClient(): Client {
  return new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode: "auto" } });
}
