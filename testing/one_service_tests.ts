/** Tests that can't pass if each request goes to another one of several services. */

const METRICS = "each process counts its own requests";
const FAILURES = "each process counts failed sign-ins and registrations by itself";
const SEARCHES = "each process writes its counts of searches every minute";
const REQUESTS = "the balancer of the tests refuses these requests itself";
const HEADERS = "the balancer of the tests changes the bytes of headers that aren't ASCII";
const FOLDERS = "each process removes the extraction folders in its own data directory";

/** Names of the tests, and why. */
export const OF_ONE_SERVICE: Readonly<Record<string, string>> = {
  "GET /metrics counts requests by route and reveals nothing else about them": METRICS,
  'GET /metrics counts unknown methods as "other"': METRICS,
  "requests under /mem0 are counted by their route": METRICS,
  "POST /mcp sets the request id and is counted in the metrics": METRICS,
  "POST /dashboard/api/session returns 429 to passwords after ten wrong ones from one address":
    FAILURES,
  "the audit log has sign-ins and wrong passwords with their address, but no password": FAILURES,
  "POST /dashboard/api/session counts wrong passwords by the client's address behind a trusted proxy":
    FAILURES,
  "POST /dashboard/api/session ignores X-Forwarded-For of a proxy that isn't trusted": FAILURES,
  "POST /oauth/register from an address that strangers have used up works while the owner is on the page Connections":
    FAILURES,
  "POST /oauth/register refuses a flood of registrations, and existing clients keep working":
    FAILURES,
  "GET /dashboard/api/projects/{id}/overview counts every change and search once, even after a restart":
    SEARCHES,
  "an unknown HTTP method returns 405": REQUESTS,
  "bytes after the declared length are not part of the body": REQUESTS,
  "headers fix scopes, in UTF-8 or Latin-1": HEADERS,
  "Maintenance removes uploads that have been incomplete for a day or failed for a month": FOLDERS,
};
