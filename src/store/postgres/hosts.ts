/**
 * The servers in a URL. As in libpq, it can have several hosts: `postgres://USER@A:5432,B:5432/NAME`.
 * One of them is the primary, and the others are its standbys.
 */

/** The server that accepted changes last, by the URL with all hosts. */
const lastPrimaries = new Map<string, string>();

/** Returns a URL for each host. */
export function hostUrls(url: string): string[] {
  const [, before, hosts, after] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(",").map((host) => before! + host + after!);
}

/** Returns a URL for each host, first the one that was the primary last. */
export function hostUrlsByPrimary(url: string): string[] {
  const last = lastPrimaries.get(url);
  const urls = hostUrls(url);
  return last === undefined ? urls : [last, ...urls.filter((other) => other !== last)];
}

/** Records which server accepts changes. */
export function recordPrimary(url: string, hostUrl: string): void {
  lastPrimaries.set(url, hostUrl);
}

/** Returns the hosts with their ports, for messages. */
export function describeHosts(url: string): string {
  return hostUrls(url).map((hostUrl) => new URL(hostUrl).host).join(",");
}
