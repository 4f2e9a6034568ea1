/** Clients identified by the URL of a document: only with the flag, and never on a private address. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import {
  clientFromDocument,
  documentUrl,
  fetchDocument,
} from "../../src/connections/client_documents.ts";
import { DocumentClients } from "../../src/connections/document_clients.ts";
import { OAuthError } from "../../src/connections/schema.ts";
import { withServer } from "../../testing/harness.ts";
import { DashboardClient } from "../dashboard/client.ts";
import { postForm } from "./owner.ts";

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
      "https://chat.example:443/client.json",
      "https://chat.example:8443/client.json",
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

Deno.test("DocumentClients.find() fetches a document once in ten minutes, and a missing one once in a minute", async () => {
  let now = 0;
  const fetched: string[] = [];
  const documents = new DocumentClients({ now: () => now }, ({ href }) => {
    fetched.push(href);
    if (href !== ID) return Promise.reject(new OAuthError("invalid_client", "not found"));
    return Promise.resolve(JSON.stringify(DOCUMENT));
  });
  await Promise.all([documents.find(ID), documents.find(ID)]);
  now += 10 * 60_000 - 1;
  await documents.find(ID);
  deepStrictEqual(fetched, [ID], "at the same time, and until it expires");
  now += 1;
  await documents.find(ID);
  const missing = "https://other.example/missing.json";
  for (const later of [0, 59_999, 60_000]) {
    now += later;
    await rejects(documents.find(missing), { code: "invalid_client" });
  }
  deepStrictEqual(fetched, [ID, ID, missing, missing]);
});

Deno.test("DocumentClients.find() leaves a host alone after ten failures in a minute", async () => {
  let fetches = 0;
  const documents = new DocumentClients({ now: () => 0 }, () => {
    fetches++;
    return Promise.reject(new OAuthError("invalid_client", "not found"));
  });
  const find = (host: string, n: number) => documents.find(`https://${host}/${n}.json`);
  for (let n = 0; n < 10; n++) await rejects(find("chat.example", n), { code: "invalid_client" });
  await rejects(find("chat.example", 10), { code: "temporarily_unavailable", retryAfter: 60 });
  await rejects(find("other.example", 0), { code: "invalid_client" });
  strictEqual(fetches, 11);
});

Deno.test("DocumentClients.find() keeps at most 100 documents", async () => {
  let fetches = 0;
  const documents = new DocumentClients({ now: () => 0 }, ({ href }) => {
    fetches++;
    return Promise.resolve(JSON.stringify({ ...DOCUMENT, client_id: href }));
  });
  const find = (n: number) => documents.find(`https://chat.example/${n}.json`);
  for (let n = 0; n <= 100; n++) await find(n);
  await find(1);
  strictEqual(fetches, 101);
  await find(0);
  strictEqual(fetches, 102, "the oldest one was dropped");
});

Deno.test("a client's document is fetched only if --oauth-client-documents is on, and only for the owner", async () => {
  for (const oauthClientDocuments of [false, true]) {
    await withServer(async (server) => {
      const metadata = await fetch(`${server.url}/.well-known/oauth-authorization-server`);
      const { client_id_metadata_document_supported } = await metadata.json();
      strictEqual(client_id_metadata_document_supported, oauthClientDocuments);
      // On this machine, so that a fetch fails, which the response would show.
      const client_id = "https://127.0.0.1/client.json";
      const request = new URLSearchParams({ client_id }).toString();
      const response = await fetch(`${server.url}/oauth/authorize?${request}`, {
        redirect: "manual",
      });
      const refusal = await response.text();
      strictEqual(response.status, oauthClientDocuments ? 302 : 401, refusal);
      strictEqual(refusal.includes("fetched"), false);
      const grant = { grant_type: "refresh_token", refresh_token: "cpr_x", client_id };
      const { json: token } = await postForm(`${server.url}/oauth/token`, grant);
      strictEqual(token.error, oauthClientDocuments ? "invalid_grant" : "invalid_client");

      const path = `/authorization?${new URLSearchParams({ request })}`;
      strictEqual((await new DashboardClient(server).call("GET", path)).status, 401);
      const { json } = await (await DashboardClient.signedIn(server)).call("GET", path);
      deepStrictEqual(json.details, { error: "invalid_client" });
      strictEqual(json.message.includes("could not be fetched"), oauthClientDocuments);
    }, { oauthClientDocuments });
  }
});
