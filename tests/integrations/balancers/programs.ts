/** Runs nginx and Caddy with the configurations of docs/guides/balancer.md. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { freePort } from "../../../testing/free_port.ts";
import { waitUntil } from "../../../testing/wait_until.ts";
import { blocksOf } from "../../docs/page.ts";

const PAGE = join(import.meta.dirname!, "../../../docs/guides/balancer.md");

/** How a configuration on the page becomes one that runs here. */
interface Program {
  readonly name: string;
  /** How its block on the page begins. */
  readonly beginning: string;
  /** Requests with a body that may fail after a process was killed, as the page says. */
  readonly lost: number;
  /** Returns the arguments for a configuration, whose files it writes to a folder. */
  prepare(block: string, port: number, folder: string): readonly string[];
}

export const PROGRAMS: readonly Program[] = [
  {
    name: "nginx",
    beginning: "upstream commonplace {",
    lost: 0,
    prepare(block, port, folder) {
      const site = block.replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
        .replaceAll(/^ *ssl_certificate.*\n/gm, "");
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(" ");
      const path = join(folder, "nginx.conf");
      writeFileSync(
        path,
        `daemon off; pid ${join(folder, "pid")}; error_log ${join(folder, "errors")};
        events {} http { access_log off; ${temporary} ${site} }`,
      );
      return ["-c", path];
    },
  },
  {
    name: "caddy",
    beginning: "memory.example.org {",
    lost: 1,
    prepare(block, port, folder) {
      const path = join(folder, "Caddyfile");
      const site = block.replace("memory.example.org {", `http://127.0.0.1:${port} {`);
      writeFileSync(path, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
      return ["run", "--config", path, "--adapter", "caddyfile"];
    },
  },
];

/** A running balancer. */
export interface RunningBalancer extends AsyncDisposable {
  readonly url: string;
}

/** Returns the path of an installed program. Debian has servers in `sbin`. */
export function findProgram(name: string): string | undefined {
  const folders = [...(Deno.env.get("PATH") ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Starts a balancer in front of services, which take the place of the addresses on the page. */
export async function startProgram(
  { name, beginning, prepare }: Program,
  services: readonly string[],
  folder: string,
): Promise<RunningBalancer> {
  let block = blocksOf(readFileSync(PAGE, "utf8"))
    .find(({ text }) => text.startsWith(beginning))!.text;
  for (const [index, url] of services.entries()) {
    block = block.replaceAll(`10.0.0.1${index + 1}:8420`, new URL(url).host);
  }
  const port = await freePort();
  mkdirSync(folder);
  const child = new Deno.Command(findProgram(name)!, {
    args: [...prepare(block, port, folder)],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const url = `http://127.0.0.1:${port}`;
  const isOpen = async () => {
    const reply = await fetch(`${url}/livez`).catch(() => null);
    await reply?.body?.cancel();
    return reply !== null;
  };
  await waitUntil(isOpen, (open) => open);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}
