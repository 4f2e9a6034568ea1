/** Where the files of an instance are: the setting `blob-url`. */

import { fileURLToPath } from "node:url";

/** A folder that several processes share. */
export interface FolderAddress {
  readonly kind: "folder";
  readonly directory: string;
}

/** A bucket of an S3-compatible storage. */
export interface S3Address {
  readonly kind: "s3";
  readonly bucket: string;
  /** Empty, or a path that ends with a slash. */
  readonly prefix: string;
  /** URL of the bucket, without a slash at the end. */
  readonly base: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The place of an instance's files, other than its data directory. */
export type BlobAddress = FolderAddress | S3Address;

const EXPECTED = "must be file:///FOLDER, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME";

const S3_PARAMETERS: readonly string[] = ["endpoint", "region"];

const DEFAULT_REGION = "us-east-1";

/**
 * Returns what's wrong with a value of the setting, or null if it's valid. Never repeats the value,
 * which can have credentials in it by mistake.
 */
export function blobUrlProblem(value: string): string | null {
  if (value === "") return null;
  const url = URL.parse(value);
  if (url === null) return EXPECTED;
  if (url.username !== "" || url.password !== "") {
    return "must not contain credentials; set COMMONPLACE_S3_ACCESS_KEY_ID and " +
      "COMMONPLACE_S3_SECRET_ACCESS_KEY";
  }
  if (url.protocol === "file:") {
    return /^file:\/\/\/[^?#]+$/.test(value) && isPath(url) ? null : EXPECTED;
  }
  if (url.hash !== "" || url.searchParams.get("region") === "") return EXPECTED;
  if (url.protocol !== "s3:" || !/^[a-z0-9][a-z0-9.-]+[a-z0-9]$/.test(url.hostname)) {
    return EXPECTED;
  }
  const unknown = [...url.searchParams.keys()].find((name) => !S3_PARAMETERS.includes(name));
  if (unknown !== undefined) return "must not have a parameter other than endpoint and region";
  if (!/^[A-Za-z0-9/_.-]*$/.test(url.pathname) || url.port !== "") {
    return "must have a prefix of letters, digits and /_.-";
  }
  const endpoint = url.searchParams.get("endpoint");
  return endpoint === null || isPlainUrl(endpoint)
    ? null
    : "must have an endpoint such as https://s3.example.com";
}

/** Checks whether a file URL names a path: a slash or a broken sequence can't be encoded in it. */
function isPath(url: URL): boolean {
  try {
    fileURLToPath(url);
    return true;
  } catch {
    return false;
  }
}

/** Returns the location that a valid URL specifies. */
export function blobAddress(
  value: string,
  credentials: Pick<S3Address, "accessKeyId" | "secretAccessKey">,
): BlobAddress {
  const url = new URL(value);
  if (url.protocol === "file:") return { kind: "folder", directory: fileURLToPath(url) };
  const bucket = url.hostname;
  const prefix = url.pathname.split("/").filter((part) => part !== "").map((part) => `${part}/`);
  const region = url.searchParams.get("region") ?? DEFAULT_REGION;
  return {
    kind: "s3",
    bucket,
    prefix: prefix.join(""),
    base: baseUrl(bucket, region, url.searchParams.get("endpoint")),
    region,
    ...credentials,
  };
}

/**
 * The bucket is part of the path, which all servers support. AWS asks for it in the host's name,
 * unless it has a dot, which certificates of AWS don't cover.
 */
function baseUrl(bucket: string, region: string, endpoint: string | null): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

function isPlainUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "" && url.search === "" && url.hash === "";
}
