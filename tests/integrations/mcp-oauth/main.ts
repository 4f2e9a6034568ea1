/**
 * Signs in with published OAuth clients and runs the protocol's conformance suite, with a real
 * browser on the consent page.
 */

import { join } from "node:path";
import { pythonEnvironment } from "../../../testing/python.ts";
import { makeTempDirSync, rm } from "../../../testing/temp_dir.ts";
import { closeBrowser, withBrowser } from "../../dashboard/browser.ts";
import { installPackages } from "../mem0.ts";
import { checkMcpRemote, checkPythonClient, checkTypeScriptClient } from "./clients.ts";
import { checkAuthorizationServer, checkServer } from "./conformance.ts";
import { openOwnerBrowser } from "./owner_browser.ts";

const HERE = import.meta.dirname!;

const packages = await installPackages(HERE, "mcp-oauth");
const python = await pythonEnvironment(
  "mcp-oauth",
  join(HERE, "requirements.txt"),
);
const home = makeTempDirSync();
try {
  await withBrowser(async (session) => {
    const { server } = session;
    const browser = await openOwnerBrowser(session);
    await checkTypeScriptClient(server, browser);
    await checkAuthorizationServer(server, packages, browser);
    await checkServer(server, packages);
    await checkPythonClient(server, python, browser);
    await checkMcpRemote(server, packages, home, browser);
    // Browsers go to the clients' own addresses, and nowhere else.
    const foreign = session.problems.filter((problem) =>
      !/^requested http:\/\/(127\.0\.0\.1|localhost):\d+\//.test(problem)
    );
    session.problems.splice(0, session.problems.length, ...foreign);
  });
} finally {
  await closeBrowser();
  await rm(home);
}
