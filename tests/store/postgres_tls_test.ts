/** Tests connections to PostgreSQL that are encrypted, with an authority of one's own. */

import { doesNotMatch, match, rejects, strictEqual } from "node:assert/strict";
import { chownSync, copyFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PgStore } from "../../src/store/postgres/store.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { requireTool, testWith } from "../../testing/tools.ts";

/** Runs openssl in a folder. */
async function openssl(folder: string, ...args: readonly string[]): Promise<void> {
  const command = new Deno.Command(requireTool("openssl"), {
    args: [...args],
    cwd: folder,
    stdout: "null",
    stderr: "piped",
  });
  const { code, stderr } = await command.output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
}

/** Creates an authority, NAME.crt with NAME.key. */
function createAuthority(folder: string, name: string): Promise<void> {
  const key = ["-newkey", "rsa:2048", "-nodes", "-keyout", `${name}.key`];
  const certificate = ["-x509", "-days", "1", "-subj", `/CN=${name}`, "-out", `${name}.crt`];
  return openssl(folder, "req", ...key, ...certificate);
}

/** Creates a certificate for localhost, server.crt with server.key. */
async function createCertificate(folder: string, authority: string): Promise<void> {
  const key = ["-newkey", "rsa:2048", "-nodes", "-keyout", "server.key"];
  await openssl(folder, "req", ...key, "-subj", "/CN=localhost", "-out", "server.csr");
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost");
  const signer = ["-CA", `${authority}.crt`, "-CAkey", `${authority}.key`, "-CAcreateserial"];
  const files = ["-in", "server.csr", "-out", "server.crt", "-extfile", "names"];
  await openssl(folder, "x509", "-req", "-days", "1", ...signer, ...files);
}

/** Makes a server accept encrypted connections only. */
async function requireTls(server: PostgresServer, folder: string): Promise<void> {
  const { uid, gid } = statSync(server.data);
  for (const name of ["server.crt", "server.key"]) {
    const path = join(server.data, name);
    copyFileSync(join(folder, name), path);
    Deno.chmodSync(path, 0o600);
    chownSync(path, uid, gid);
  }
  await server.query("alter system set ssl = on");
  writeFileSync(join(server.data, "pg_hba.conf"), "hostssl all all 127.0.0.1/32 trust\n");
  await server.query("select pg_reload_conf()");
}

testWith(
  ["initdb", "setpriv", "openssl"],
  "serve uses TLS with sslmode=verify-full, and refuses servers that it can't verify in one line",
  async () => {
    const server = await startPostgres();
    const folder = makeTempDirSync();
    try {
      await createAuthority(folder, "own");
      await createAuthority(folder, "other");
      await createCertificate(folder, "own");
      const { schema } = server.newSchema();
      await requireTls(server, folder);
      const urlOf = (host: string, authority: string) =>
        `postgres://postgres@${host}:${server.port}/postgres?sslmode=verify-full` +
        `&sslrootcert=${join(folder, authority)}.crt`;

      const environment = {
        COMMONPLACE_DATABASE_URL: `${urlOf("localhost", "own")}&schema=${schema}`,
      };
      const data = join(folder, "data");
      await using service = await ServeProcess.serve(data, [], { environment });
      const headers = { Authorization: `Bearer ${service.apiKey}` };
      const health = await fetch(`${service.url}/v1/health`, { headers });
      strictEqual(health.status, 200);
      strictEqual((await health.json()).processes.length, 1);
      await service.stop();

      for (
        const [url, problem] of [
          [urlOf("localhost", "other"), /certificate|issuer/i],
          [urlOf("127.0.0.1", "own"), /certificate|altnames|not valid for/i],
          [`postgres://postgres@localhost:${server.port}/postgres`, /no encryption/],
        ] as const
      ) {
        await rejects(PgStore.open({ url, schema }), ({ message }: Error) => {
          match(message, /^Can't use postgres:\/\/[\w.]+:\d+\/postgres\?schema=\w+: /);
          match(message, problem);
          doesNotMatch(message, /\n/);
          return true;
        });
      }
    } finally {
      await server.close();
      await rm(folder);
    }
  },
);
