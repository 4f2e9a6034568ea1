/** The consent page and the connections page, in a real browser. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { listTools, registerClient, statusOf } from "../oauth/owner.ts";
import { openSignedIn, withBrowser } from "./browser.ts";
import { checkAllViewports } from "./with_dashboard.ts";

/** Serves the page of a client on this machine, which the browser is sent back to. */
function serveCallback() {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const headers = { "content-type": "text/html" };
  const server = Deno.serve(options, () => new Response("<title>Connected</title>", { headers }));
  return { server, url: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}/callback` };
}

Deno.test("the consent page shows what a client asks for, and the owner can allow less", async () => {
  await withBrowser(async (session) => {
    const { server } = session;
    const page = await openSignedIn(session);
    const { server: listener, url: callback } = serveCallback();
    await using _ = listener;
    const client = await registerClient(server, { client_name: "Chat", redirect_uris: [callback] });
    const { url, verifier } = client.authorizationUrl();
    await page.goto(url);
    await page.getByRole("heading", { name: "Connect “Chat”?" }).waitFor();
    for (const text of ["a program on this computer", callback]) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    await page.getByText("Limit to one user, agent or run").click();
    await checkAllViewports(page, "the consent page");
    await page.getByLabel("memory:write").uncheck();
    await page.getByLabel("User").fill("ana");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL((url) => url.href.startsWith(callback));
    const back = new URL(page.url());
    strictEqual(back.searchParams.get("iss"), server.url);
    const { json } = await client.token({
      grant_type: "authorization_code",
      code: back.searchParams.get("code")!,
      code_verifier: verifier,
      redirect_uri: callback,
    });
    strictEqual(json.scope, "memory:read operations:read");
    strictEqual(await statusOf(listTools(server, json.access_token)), 200);

    await page.goto(`${server.url}/#/default/connections`);
    await page.reload();
    const row = page.getByRole("row", { name: /Chat/ });
    match(await row.innerText(), /user ana/);
    await checkAllViewports(page, "the connections page");
    strictEqual((await page.content()).includes("cpt_"), false, "no token is shown");
    await page.getByRole("button", { name: "Revoke the connection of Chat" }).click();
    await page.getByRole("button", { name: "Revoke connection" }).click();
    await page.getByText("revoked: owner").waitFor();
    strictEqual(await statusOf(listTools(server, json.access_token)), 401);
    // The only request to another host is the one that the owner allowed.
    const others = session.problems.splice(0).filter((problem) =>
      !problem.includes("/favicon.ico")
    );
    deepStrictEqual(others, [`requested ${back}`]);
  });
});

Deno.test("the consent page explains an invalid request, and goes back only when asked", async () => {
  await withBrowser(async (session) => {
    const { server } = session;
    const page = await openSignedIn(session);
    const client = await registerClient(server);
    const { url } = client.authorizationUrl({ resource: "https://other.example/mcp" });
    const request = url.split("?")[1]!;
    await page.goto(`${server.url}/#/-/authorize?${request}`);
    await page.getByText(/resource must be/).waitFor();
    await page.getByRole("button", { name: "Return to chat.example" }).waitFor();
    await checkAllViewports(page, "the consent page of an invalid request");
    const unknown = client.authorizationUrl({ client_id: "client_x" }).url.split("?")[1]!;
    await page.goto(`${server.url}/#/-/authorize?${unknown}`);
    await page.getByText(/not registered/).waitFor();
    strictEqual(await page.getByRole("button", { name: /Return/ }).count(), 0);
  });
});

Deno.test("a browser that isn't signed in keeps the request until it is, in another tab or with the link", async () => {
  await withBrowser(async (session) => {
    const client = await registerClient(session.server);
    const page = await session.open();
    await page.goto(client.authorizationUrl().url);
    const link = page.getByLabel("Sign-in link");
    await link.waitFor();
    await checkAllViewports(page, "the sign-in page");
    const { url } = await session.server.manage("dashboard");
    await link.fill(url);
    await page.getByRole("button", { name: "Use the link" }).click();
    await page.getByRole("heading", { name: "Connect “Chat”?" }).waitFor();

    const context = page.context();
    await context.clearCookies();
    await page.reload();
    await link.waitFor();
    const other = await openSignedIn(session);
    await context.addCookies(await other.context().cookies());
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByRole("heading", { name: "Connect “Chat”?" }).waitFor();
  });
});

Deno.test("a page of another site can't show the consent page in a frame", async () => {
  await withBrowser(async (session) => {
    const page = await openSignedIn(session);
    const client = await registerClient(session.server);
    const { url } = client.authorizationUrl();
    await page.route("https://evil.example/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<title>Win</title><iframe src="${url}"></iframe>`,
      }));
    await page.goto("https://evil.example/");
    const frame = page.frames().find((frame) => frame !== page.mainFrame())!;
    deepStrictEqual(await frame.locator("form").count(), 0);
    session.problems.length = 0;
  });
});

Deno.test("the consent page works behind a tunnel that changes the host", async () => {
  await withBrowser(async (session) => {
    const { server } = session;
    await using tunnel = openTunnel(server);
    const publicUrl = `http://localhost:${(tunnel.addr as Deno.NetAddr).port}`;
    await server.stop();
    await server.start({ publicUrl });
    const { server: listener, url: callback } = serveCallback();
    await using _ = listener;
    const client = await registerClient({ url: publicUrl }, { redirect_uris: [callback] });
    const page = await session.open();
    const { url } = await server.manage("dashboard");
    strictEqual(new URL(url).origin, publicUrl);
    await page.goto(url);
    await page.locator("nav[aria-label=Pages]").waitFor({ state: "attached" });
    for (const decision of ["Refuse", "Allow"]) {
      await page.goto(client.authorizationUrl().url);
      await page.getByRole("button", { name: decision }).click();
      await page.waitForURL((url) => url.href.startsWith(callback));
      const { searchParams } = new URL(page.url());
      strictEqual(searchParams.get("iss"), publicUrl);
      strictEqual(searchParams.get("error"), decision === "Refuse" ? "access_denied" : null);
      strictEqual(searchParams.has("code"), decision === "Allow");
    }
    session.problems.length = 0;
  });
});

/** Forwards requests to a server with the server's own host, as some tunnels do. */
function openTunnel(server: TestServer): Deno.HttpServer {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  return Deno.serve(options, (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.delete("host");
    const { method, body } = request;
    return fetch(server.url + pathname + search, { method, headers, body, redirect: "manual" });
  });
}
