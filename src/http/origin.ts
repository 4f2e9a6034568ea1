/** The address at which a client reached the service. A proxy forwards it in headers. */

/**
 * Returns the scheme and host that the client used. A client that forges them misleads only itself,
 * because they appear only in its own response.
 */
export function originOf(headers: Headers): string {
  const scheme = isSecure(headers) ? "https" : "http";
  const origin = [
    firstHeaderValue(headers, "x-forwarded-host"),
    firstHeaderValue(headers, "host"),
    "localhost",
  ]
    .map((host) => `${scheme}://${host}`)
    .find((origin) => /^https?:\/\/[\w.:[\]-]+$/.test(origin) && URL.canParse(origin));
  return origin!;
}

/** Checks whether the client uses HTTPS to reach a proxy in front of the service. */
export function isSecure(headers: Headers): boolean {
  return firstHeaderValue(headers, "x-forwarded-proto") === "https";
}

/**
 * Checks whether the page of an origin is served by this host. A page of another origin can't send
 * the header of the proxy without a CORS preflight.
 */
export function isOwnOrigin(headers: Headers, origin: string): boolean {
  const host = URL.parse(origin)?.host ?? "";
  return host !== "" &&
    [headers.get("host"), firstHeaderValue(headers, "x-forwarded-host")].includes(host);
}

/**
 * Returns the first value of a header, which is set by the proxy nearest to the client. Returns an
 * empty string if the header is missing.
 */
function firstHeaderValue(headers: Headers, name: string): string {
  return (headers.get(name) ?? "").split(",")[0]!.trim();
}
