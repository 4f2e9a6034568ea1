/**
 * A single attempt to deliver an event to a webhook, as specified by Standard Webhooks
 * (standardwebhooks.com).
 */

import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import {
  guardedLookup,
  isPrivateAddress,
  literalAddress,
} from "../kernel/http/private_addresses.ts";

/** Response timeout, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** A message to deliver. */
export interface Delivery {
  readonly url: string;
  readonly secret: string;
  /** Event id, shared by all attempts. */
  readonly id: string;
  /** Time of the attempt, in seconds since the Unix epoch. */
  readonly at: number;
  readonly body: string;
}

/** Outcome of an attempt: the HTTP status, or why there isn't one. */
export interface DeliveryOutcome {
  readonly delivered: boolean;
  readonly status: string;
}

/** Signs the id, time and body so the receiver can verify them. */
export function signature({ secret, id, at, body }: Omit<Delivery, "url">): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`;
}

/**
 * Sends a message without following redirects. The address is checked after it's resolved, on the
 * very connection then used, so a name can't resolve to a different address in between.
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
  return new Promise((settle) => {
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
      settle({ delivered: code >= 200 && code < 300, status: String(code) });
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      settle({ delivered: false, status: failureReason(error) });
    });
    request.end(delivery.body);
  });
}

const FAILURE_REASONS: Readonly<Record<string, string>> = {
  PRIVATE_ADDRESS: "private address",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "unknown host",
  ABORT_ERR: "no response",
};

function failureReason(error: NodeJS.ErrnoException): string {
  return FAILURE_REASONS[error.code ?? ""] ?? "not delivered";
}
