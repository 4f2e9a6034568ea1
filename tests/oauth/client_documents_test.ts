/** Clients identified by the URL of a document: only with the flag, and never on a private address. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import {
  clientFromDocument,
  documentUrl,
  fetchDocument,
} from "../../src/connections/client_documents.ts";
import { withServer } from "../../testing/harness.ts";

const ID = "https://chat.example/client.json";
const DOCUMENT = {
  client_id: ID,
  client_name: "Chat",
  redirect_uris: ["https://chat.example/callback"],
};

Deno.test("clientFromDocument() accepts a document only if it names its own URL", async () => {
  const from = (document: unknown) =>
    clientFromDocument(ID, () => Promise.resolve(JSON.stringify(document)));
  deepStrictEqual(await from(DOCUMENT), {
    id: ID,
    name: "Chat",
    redirectUris: DOCUMENT.redirect_uris,
    known: false,
  });
  for (
    const document of [
      { ...DOCUMENT, client_id: "https://chat.example/other.json" },
      { ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] },
      { ...DOCUMENT, redirect_uris: undefined },
      "text",
      null,
    ]
  ) {
    await rejects(from(document), { name: "OAuthError" }, JSON.stringify(document));
  }
});

Deno.test("documentUrl() accepts exact https URLs with a path", () => {
  strictEqual(documentUrl(ID)?.href, ID);
  for (
    const id of [
      "http://chat.example/client.json",
      "https://chat.example",
      "https://chat.example/",
      "https://CHAT.example/client.json",
      "https://a:b@chat.example/client.json",
      `${ID}#x`,
      "client_x",
    ]
  ) {
    strictEqual(documentUrl(id), null, id);
  }
});

Deno.test("fetchDocument() connects to public addresses only", async () => {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    throw new Error("must not be reached");
  });
  const { port } = server.addr as Deno.NetAddr;
  for (const host of ["127.0.0.1", "[::1]", "localhost", "10.0.0.1", "169.254.169.254"]) {
    await rejects(fetchDocument(new URL(`https://${host}:${port}/client.json`)), {
      message: "The client's document could not be fetched",
    });
  }
  await server.shutdown();
});

Deno.test("GET /oauth/authorize fetches a client's document only if --oauth-client-documents is on", async () => {
  for (const oauthClientDocuments of [false, true]) {
    await withServer(async (server) => {
      const metadata = await fetch(`${server.url}/.well-known/oauth-authorization-server`);
      const { client_id_metadata_document_supported } = await metadata.json();
      strictEqual(client_id_metadata_document_supported, oauthClientDocuments);
      const search = new URLSearchParams({ client_id: "https://127.0.0.1/client.json" });
      const response = await fetch(`${server.url}/oauth/authorize?${search}`);
      const { error, error_description } = await response.json();
      strictEqual(error, "invalid_client");
      strictEqual(error_description.includes("could not be fetched"), oauthClientDocuments);
    }, { oauthClientDocuments });
  }
});
