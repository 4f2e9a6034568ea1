/** One attempt to tell one webhook of one event, by Standard Webhooks (standardwebhooks.com). */

import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { lookup as resolve } from "node:dns";
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { isPrivateAddress, literalAddress } from "./private_addresses.ts";

/** An answer that takes longer counts as none. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** What is sent. */
export interface Delivery {
  readonly url: string;
  readonly secret: string;
  /** The same in every attempt at the same event. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly at: number;
  readonly body: string;
}

/** How an attempt ended: the HTTP status, or why there was none. */
export interface DeliveryOutcome {
  readonly delivered: boolean;
  readonly status: string;
}

/** The signature over id, time and body that the receiver can check. */
export function signature({ secret, id, at, body }: Omit<Delivery, "url">): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`;
}

/**
 * Sends. Redirects are not followed, and an address is looked at once it is resolved, for the very
 * connection that is made: a name can't change its meaning in between.
 */
export function deliver(
  delivery: Delivery,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const url = new URL(delivery.url);
  const literal = literalAddress(url.hostname);
  if (!allowPrivate && literal !== null && isPrivateAddress(literal)) {
    return Promise.resolve({ delivered: false, status: "private address" });
  }
  return new Promise((ended) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request: ClientRequest = send(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(delivery.body),
        "user-agent": "commonplace",
        "webhook-id": delivery.id,
        "webhook-timestamp": String(delivery.at),
        "webhook-signature": signature(delivery),
      },
      lookup: guardedLookup(allowPrivate),
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
      agent: false,
    }, (response: IncomingMessage) => {
      const code = response.statusCode ?? 0;
      response.destroy();
      ended({ delivered: code >= 200 && code < 300, status: String(code) });
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      ended({ delivered: false, status: failureReason(error) });
    });
    request.end(delivery.body);
  });
}

/** A name that resolves to a private address isn't resolved. */
function guardedLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
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

const FAILURE_REASONS: Readonly<Record<string, string>> = {
  PRIVATE_ADDRESS: "private address",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "unknown host",
  ABORT_ERR: "no answer",
};

function failureReason(error: NodeJS.ErrnoException): string {
  return FAILURE_REASONS[error.code ?? ""] ?? "not delivered";
}
