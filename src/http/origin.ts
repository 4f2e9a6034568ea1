/** The address by which a client reached the service, which a proxy passes on in its headers. */

/**
 * The scheme and host that the client used. A client that forges them misleads only itself: they
 * appear in nothing but its own answer.
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

/** Whether the client speaks HTTPS, with a proxy before the service. */
export function isSecure(headers: Headers): boolean {
  return firstHeaderValue(headers, "x-forwarded-proto") === "https";
}

/**
 * Whether a page of an origin is one of this very host. A page of another origin can't send the
 * proxy's header without being asked about it first.
 */
export function isOwnOrigin(headers: Headers, origin: string): boolean {
  const host = URL.parse(origin)?.host ?? "";
  return host !== "" &&
    [headers.get("host"), firstHeaderValue(headers, "x-forwarded-host")].includes(host);
}

/** A header as the proxy nearest to the client has set it; empty without one. */
function firstHeaderValue(headers: Headers, name: string): string {
  return (headers.get(name) ?? "").split(",")[0]!.trim();
}
