/**
 * Clients that identify themselves by the URL of a document with their metadata, instead of
 * registering (draft-ietf-oauth-client-id-metadata-document). The service fetches what a stranger
 * names, so this is off by default and has the guards of webhooks: only public addresses over https,
 * no redirects, little time and few bytes.
 */

import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import {
  guardedLookup,
  isPrivateAddress,
  literalAddress,
} from "../kernel/http/private_addresses.ts";
import { parseClientMetadata } from "./clients.ts";
import { type OAuthClient, OAuthError } from "./schema.ts";

/** Maximum size of a document, in bytes, and the time for it to arrive, in milliseconds. */
const MAX_DOCUMENT_BYTES = 5_120;
const TIMEOUT_MS = 5_000;

/** Fetches the text at a URL, which `documentUrl` has accepted. */
export type FetchDocument = (url: URL) => Promise<string>;

/**
 * Returns the URL of a document if that's what a client's id is, or null. It has to be exact: a
 * client's id is compared as text. Only the default port is allowed, because anything could listen
 * on another one.
 */
export function documentUrl(clientId: string): URL | null {
  const url = URL.parse(clientId);
  const isValid = url !== null && url.protocol === "https:" && url.href === clientId &&
    url.port === "" && url.pathname !== "/" && url.username === "" && url.password === "" &&
    url.hash === "";
  return isValid ? url : null;
}

/**
 * Returns the client that a document describes.
 *
 * @throws OAuthError if the document can't be fetched, or doesn't describe this client
 */
export async function clientFromDocument(
  clientId: string,
  fetchText: FetchDocument,
): Promise<OAuthClient> {
  const url = documentUrl(clientId);
  if (url === null) throw new OAuthError("invalid_client", "client_id is not a document's URL");
  const document = parseDocument(await fetchText(url));
  if (document["client_id"] !== clientId) {
    throw new OAuthError("invalid_client", "The document names another client_id");
  }
  const metadata = parseClientMetadata(document);
  return { id: clientId, ...metadata, known: false };
}

function parseDocument(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === "object") return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new OAuthError("invalid_client", "The client's document is not a JSON object");
}

/**
 * Fetches a document from a public address.
 *
 * @throws OAuthError if that fails
 */
export function fetchDocument(url: URL): Promise<string> {
  const literal = literalAddress(url.hostname);
  if (literal !== null && isPrivateAddress(literal)) return Promise.reject(unreachable());
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, {
      headers: { accept: "application/json", "user-agent": "commonplace" },
      lookup: guardedLookup(false),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      agent: false,
    }, (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        response.destroy();
        return reject(unreachable());
      }
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        parts.push(part);
        if (bytes <= MAX_DOCUMENT_BYTES) return;
        response.destroy();
        reject(unreachable());
      });
      response.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
      response.on("error", () => reject(unreachable()));
    });
    request.on("error", () => reject(unreachable()));
    request.end();
  });
}

/** Doesn't say why: the reason would reveal what can be reached from here. */
function unreachable(): OAuthError {
  return new OAuthError("invalid_client", "The client's document could not be fetched");
}
