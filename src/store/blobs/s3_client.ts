/** Signed requests to S3-compatible storage, with timeouts and retries. */

import { clearTimeout, setTimeout } from "node:timers";
import { AwsV4Signer } from "aws4fetch";
import { ApiError } from "../../kernel/errors.ts";
import type { Random } from "../../kernel/ids.ts";
import { delay, systemTimers } from "../../kernel/timers.ts";
import type { S3Address } from "./address.ts";

/** Number of attempts per request. */
const MAX_ATTEMPTS = 4;

/** Delay before the second attempt, in milliseconds. Later ones wait three times as long each. */
const RETRY_DELAY_MS = 100;

/** How long to wait for a response, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** How long to wait for the response to a request with a body, in milliseconds. */
const UPLOAD_TIMEOUT_MS = 60_000;

/** How long to wait for the next bytes of a response, in milliseconds. */
const READ_TIMEOUT_MS = 30_000;

/** After this time, a request isn't attempted again, in milliseconds. */
const MAX_RETRY_MS = 20_000;

/** SHA-256 of an empty body. */
const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** A request. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Key of the object. Empty for the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string };
  /** Statuses that are returned in addition to successes. Others throw. */
  readonly accepts?: readonly number[];
}

/** A response of the storage that means that the request can't succeed. */
export class S3Error extends Error {
  override readonly name = "S3Error";

  /** @param code S3's code, such as NoSuchBucket */
  constructor(readonly status: number, readonly code: string, message: string) {
    super(`${code}: ${message}`);
  }
}

/** The storage can't be reached, or a connection broke. */
export class S3ConnectionError extends Error {
  override readonly name = "S3ConnectionError";

  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}

/** A bucket. */
export class S3Client {
  readonly #address: S3Address;
  readonly #random: Random;
  /** Signing keys, which are valid for a day. */
  readonly #keys = new Map<string, ArrayBuffer>();

  constructor(address: S3Address, random: Random) {
    this.#address = address;
    this.#random = random;
  }

  /**
   * Sends a request. Its body and response can be of any size, but only the status and the headers
   * have been received when this returns: consume or cancel the response's body.
   *
   * @throws S3Error if the storage refuses the request
   * @throws S3ConnectionError if it can't be reached
   */
  async send(request: S3Request): Promise<Response> {
    const started = performance.now();
    for (let attempt = 1;; attempt++) {
      const isLast = () => attempt === MAX_ATTEMPTS || performance.now() - started > MAX_RETRY_MS;
      try {
        const response = await this.#attempt(request);
        if (response.ok || request.accepts?.includes(response.status)) return response;
        const error = await errorOf(response);
        if (isLast() || !isTemporary(response.status)) throw error;
      } catch (error) {
        if (isLast() || error instanceof S3Error) throw error;
      }
      await delay(systemTimers, RETRY_DELAY_MS * 3 ** (attempt - 1) * (0.5 + this.#random()));
    }
  }

  /** Sends a request and returns the body of the response as text. */
  async sendForText(request: S3Request): Promise<string> {
    const response = await this.send(request);
    return await withTimeout(response.text());
  }

  async #attempt({ method, key, query = {}, headers, body }: S3Request): Promise<Response> {
    const { base, prefix, region, accessKeyId, secretAccessKey } = this.#address;
    const url = new URL(key === "" ? base : `${base}/${prefix}${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, "x-amz-content-sha256": body?.sha256 ?? EMPTY_HASH },
      accessKeyId,
      secretAccessKey,
      service: "s3",
      region,
      cache: this.#keys,
    }).sign();
    const controller = new AbortController();
    const timeoutMs = body === undefined ? RESPONSE_TIMEOUT_MS : UPLOAD_TIMEOUT_MS;
    const timer = setTimeout(
      () => controller.abort(new Error(`No response within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    );
    // Part of no signature, since proxies change it.
    signed.headers.set("accept-encoding", "identity");
    try {
      return await fetch(signed.url, {
        method,
        headers: signed.headers,
        body: body?.bytes ?? null,
        redirect: "manual",
        signal: controller.signal,
      });
    } catch (error) {
      throw new S3ConnectionError(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Returns bytes of a response.
 *
 * @throws S3ConnectionError if the connection breaks or is silent for too long
 */
export async function withTimeout<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = `No bytes within ${READ_TIMEOUT_MS / 1_000} s`;
    timer = setTimeout(() => reject(new Error(message)), READ_TIMEOUT_MS);
  });
  try {
    return await Promise.race([read, timeout]);
  } catch (error) {
    throw new S3ConnectionError(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the result of `work`.
 *
 * @throws ApiError STORAGE_UNAVAILABLE if the storage can't be reached or refuses a request
 */
export async function translateS3Errors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof S3Error || error instanceof S3ConnectionError)) throw error;
    const what = error instanceof S3Error && !isTemporary(error.status)
      ? `The storage of the files refused a request (${error.code})`
      : "The storage of the files can't be reached";
    throw new ApiError("STORAGE_UNAVAILABLE", `${what}; nothing was changed`, {
      retryAfter: 5,
      cause: error,
    });
  }
}

function isTemporary(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

async function errorOf(response: Response): Promise<S3Error> {
  const text = await withTimeout(response.text()).catch(() => "");
  const code = elementOf(text, "Code") ?? `HTTP ${response.status}`;
  const message = elementOf(text, "Message") ?? response.statusText;
  return new S3Error(response.status, code, message.split("\n")[0]!.slice(0, 200));
}

/** Returns the text of the first element with this name. */
export function elementOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined ? undefined : unescapeXml(text);
}

/** Returns the text of all elements with this name. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text]) =>
    unescapeXml(text!)
  );
}

function unescapeXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}
