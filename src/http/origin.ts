/** The address used by the client to reach the service, forwarded by proxies in headers. */

/**
 * Returns the scheme and host used by the client. Forging them only misleads the client itself,
 * because they appear nowhere but in its own response.
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

/** Checks whether the client connected over HTTPS, via a proxy in front of the service. */
export function isSecure(headers: Headers): boolean {
  return firstHeaderValue(headers, "x-forwarded-proto") === "https";
}

/**
 * Checks whether this host serves the page with a given origin. Other origins can't send the
 * proxy's header without a CORS preflight.
 */
export function isOwnOrigin(headers: Headers, origin: string): boolean {
  const host = URL.parse(origin)?.host ?? "";
  return host !== "" &&
    [headers.get("host"), firstHeaderValue(headers, "x-forwarded-host")].includes(host);
}

/**
 * Returns a header's first value, or an empty string if the header is missing. The first value is
 * set by the proxy nearest to the client.
 */
function firstHeaderValue(headers: Headers, name: string): string {
  return (headers.get(name) ?? "").split(",")[0]!.trim();
}
