/**
 * Makes sure that an id from a different project always gets exactly the same response, byte for
 * byte, as an unknown id, no matter where it's sent. Requests are generated from the OpenAPI
 * document and the list of tools, so anything new that takes an id is tested too, or fails here
 * until a request is defined for it.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";
import { connectOverHttp } from "../mcp/client.ts";
import { bytesOf, extractFile, freshKey, waitForOperation } from "../uploads/files.ts";
import { ENDLESS_LIST } from "../inference_service/provider.ts";

/** One id of each kind. For an entity, that's the scope's name. */
interface Ids {
  readonly memory: string;
  readonly document: string;
  readonly chunk: string;
  readonly upload: string;
  readonly operation: string;
  readonly event: string;
  readonly entity: string;
}

type Kind = keyof Ids;

/** The kind of `{id}`, keyed by how the path begins. */
const KIND_OF_PATH: readonly (readonly [start: string, kind: Kind])[] = [
  ["/v1/memories/", "memory"],
  ["/v1/documents/", "document"],
  ["/v1/document-uploads/", "upload"],
  ["/v1/operations/", "operation"],
  ["/v1/events/", "event"],
  ["/v1/entities/", "entity"],
];

/** Bodies that would succeed if the id were right. */
const BODIES_WITHOUT_ID: Readonly<Record<string, unknown>> = {
  "PUT /v1/memories/{id}": { content: "Taken over" },
  "POST /v1/memories/{id}/feedback": { rating: "positive" },
  "PUT /v1/document-uploads/{id}/content": "Taken over",
};

/** Bodies that contain an id, keyed by its field. */
const BODIES_WITH_ID: Readonly<Record<string, readonly ((id: string) => unknown)[]>> = {
  "PUT /v1/memories/batch memory_id": [
    (id) => ({ memories: [{ memory_id: id, content: "Taken over" }] }),
    (id) => ({ memories: [{ memory_id: id, content: "Taken over", version: "2020-01-01" }] }),
  ],
  "DELETE /v1/memories/batch memory_id": [(id) => ({ memories: [{ memory_id: id }] })],
  "POST /v1/documents/search filters": filtersWithId({ query: "tea" }),
  "POST /v1/memories/query filters": filtersWithId({}),
  "POST /v1/memories/search filters": filtersWithId({ query: "tea" }),
};

/** Returns bodies with filters by an id. */
function filtersWithId(rest: Readonly<Record<string, unknown>>) {
  return [
    (id: string) => ({ ...rest, filters: { id } }),
    (id: string) => ({ ...rest, filters: { id: { in: [id] } } }),
    (id: string) => ({ ...rest, filters: { OR: [{ id }, { NOT: { id: { ne: id } } }] } }),
  ];
}

/** Fields that look like ids but don't name a record. */
const LABELS: readonly string[] = [
  // A cursor. Other projects' cursors have a test of their own.
  "POST /v1/memories/query cursor",
  // A rating's subject, in the client's own words. It's stored but never looked up.
  "POST /v1/memories/{id}/feedback request_id",
  // A snapshot's origin. Record ids must not be in use anywhere in the database, which an import
  // reports (SNAPSHOT_ID_CONFLICT): docs/hostile.md.
  "POST /v1/imports project_id",
];

/** Tool arguments other than the id. */
const OTHER_ARGUMENTS: Readonly<Record<string, unknown>> = {
  content: "Taken over",
  rating: "positive",
  start_byte: 0,
  end_byte: 10,
};

const SCOPES = ["user_id", "agent_id", "run_id"];

/** Creates a project with one record of every kind and two rows in each list. */
async function createRecords(server: TestServer, key: string, user: string): Promise<Ids> {
  const send = async (method: string, path: string, body: unknown) => {
    const reply = await server.call(method, path, { body, key, headers: freshKey() });
    ok(reply.status < 300, reply.text);
    return reply.json;
  };
  const scope = { user_id: user };
  const add = (content: string, fields = scope) =>
    send("POST", "/v1/memories", { content, infer: false, ...fields });
  const memory = (await add("Green tea after lunch")).results[0].id;
  await add("Black tea in the morning", { ...scope, agent_id: "kitchen" } as typeof scope);
  await send("PUT", `/v1/memories/${memory}`, { content: "Green tea after dinner" });
  await send("POST", `/v1/memories/${memory}/feedback`, { rating: "positive" });
  const content = "# Tea\n\n" + "Steep it for three minutes. ".repeat(200);
  const { document } = await send("POST", "/v1/documents", { content, title: "Tea", ...scope });
  await send("POST", "/v1/documents", { content: "Coffee", title: "Coffee", ...scope });
  const chunks = await server.call("GET", `/v1/documents/${document.id}/chunks`, { key });
  const file = { bytes: bytesOf("A note about tea"), fields: scope, key };
  const { id: upload, operation } = await extractFile(server, file);
  const messages = [{ role: "user", content: "I like tea." }];
  const { event_id: event } = await send("POST", "/v1/memories", { messages, ...scope });
  const unreadable = { role: "user", content: ENDLESS_LIST };
  const partly = [...messages, unreadable, unreadable];
  await send("POST", "/v1/memories", { messages: partly, ...scope, agent_id: "kitchen" });
  const [chunk] = chunks.json.results;
  return {
    memory,
    document: document.id,
    chunk: chunk.id,
    upload,
    operation: operation.id,
    event,
    entity: user,
  };
}

/** Returns a nonexistent id with the same length and form. */
function unknownId(id: string): string {
  return id.slice(0, -6) + "zzzzzz";
}

/**
 * Returns what a response reveals, minus the id and anything that differs between any two
 * responses.
 */
function shown({ status, headers, text }: Reply, id: string): unknown {
  const compared = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return [status, compared, without(text, id)];
}

function without(text: string, id: string): string {
  return text.replaceAll(encodeURIComponent(id), "ID").replaceAll(id, "ID")
    .replaceAll(/"(req|task)_[0-9a-z]{26}"/g, '"$1"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"');
}

// deno-lint-ignore no-explicit-any -- read by its own rules
type Description = any;

/** Returns each endpoint's description, along with its `METHOD /path`. */
function endpointsIn(document: Description): [name: string, operation: Description][] {
  return Object.entries<Description>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Description>(methods).map(([method, operation]): [string, Description] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ])
  );
}

/** Returns all fields in an endpoint's JSON body that can contain an id. */
function idFieldsOf(operation: Description, document: Description): string[] {
  const found = new Set<string>();
  const visit = (schema: Description): void => {
    if (schema === null || typeof schema !== "object") return;
    if (schema.$ref) visit(document.components.schemas[schema.$ref.split("/").at(-1)]);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (/(^|_)ids?$|^filters$|cursor/.test(name) && !SCOPES.includes(name)) found.add(name);
      visit(field);
    }
    visit(schema.items);
    for (const part of [...schema.anyOf ?? [], ...schema.allOf ?? [], ...schema.oneOf ?? []]) {
      visit(part);
    }
  };
  for (const { schema } of Object.values<Description>(operation.requestBody?.content ?? {})) {
    visit(schema);
  }
  return [...found];
}

/** Returns everything visible in a project. */
async function readProject({ call }: TestServer, key: string, ids: Ids, user: string) {
  const paths = [
    `memories?user_id=${user}`,
    `memories/${ids.memory}/history`,
    `memories/${ids.memory}/feedback`,
    "documents",
    `documents/${ids.document}/content`,
    `document-uploads/${ids.upload}`,
    "entities",
    // Excludes derivations, since they start on their own.
    "operations?kind=document_extract",
    "operations?kind=memory_infer",
    "events",
    "inference/unread",
  ];
  const replies = await Promise.all(paths.map((path) => call("GET", `/v1/${path}`, { key })));
  for (const reply of replies) strictEqual(reply.status, 200, reply.text);
  return replies.map(({ text }) => text);
}

/** Runs `work` with one project's ids, and with the ids and the key of a second project. */
async function withStranger(
  work: (server: TestServer, theirs: Ids, mine: Ids, key: string) => Promise<void>,
): Promise<void> {
  await withServer(async (server) => {
    const key = await server.createKey("elsewhere");
    const [theirs, mine] = [
      await createRecords(server, server.key, "ana-of-theirs"),
      await createRecords(server, key, "bo-of-mine"),
    ];
    await waitUntilIdle(server, server.key);
    const before = await readProject(server, server.key, theirs, "ana-of-theirs");
    await work(server, theirs, mine, key);
    deepStrictEqual(await readProject(server, server.key, theirs, "ana-of-theirs"), before);
  });
}

/** Waits for inference to finish, so nothing changes in the background. */
async function waitUntilIdle(server: TestServer, key: string): Promise<void> {
  for (;;) {
    const { json } = await server.call("GET", "/v1/events", { key });
    const ended = ["SUCCEEDED", "FAILED"];
    if (json.results.every(({ status }: { status: string }) => ended.includes(status))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("endpoints treat a different project's id in a path like an unknown id", async () => {
  await withStranger(async (server, theirs, _, key) => {
    const { json: document } = await server.call("GET", "/v1/openapi.json");
    let requests = 0;
    for (const [name] of endpointsIn(document).filter(([name]) => name.includes("{id}"))) {
      const [method, path] = name.split(" ") as [string, string];
      ok(KIND_OF_PATH.some(([start]) => path.startsWith(start)), `${name}: unknown kind of id`);
      for (const id of Object.values(theirs)) {
        const request = (value: string) => {
          const body = BODIES_WITHOUT_ID[name];
          return server.call(
            method,
            path.replace("{type}", "user").replace("{id}", encodeURIComponent(value)),
            {
              key,
              headers: freshKey(),
              ...typeof body === "string" ? { raw: body } : body === undefined ? {} : { body },
            },
          );
        };
        const [foreign, unknown] = [await request(id), await request(unknownId(id))];
        deepStrictEqual(shown(foreign, id), shown(unknown, unknownId(id)), `${name} with ${id}`);
        strictEqual(foreign.status, 404, `${name} with ${id}: ${foreign.text}`);
        requests++;
      }
    }
    ok(requests >= 17 * Object.keys(theirs).length, `${requests} requests`);
  });
});

Deno.test("endpoints treat a different project's id in a body like an unknown id", async () => {
  await withStranger(async (server, theirs, _, key) => {
    const { json: document } = await server.call("GET", "/v1/openapi.json");
    const idFields = endpointsIn(document).flatMap(([name, operation]) =>
      idFieldsOf(operation, document).map((field) => `${name} ${field}`)
    );
    deepStrictEqual(idFields.toSorted(), [...Object.keys(BODIES_WITH_ID), ...LABELS].toSorted());
    for (const [name, bodies] of Object.entries(BODIES_WITH_ID)) {
      const [method, path] = name.split(" ") as [string, string];
      for (
        const [bodyOf, id] of bodies.flatMap((bodyOf) =>
          Object.values(theirs).map((id) => [bodyOf, id] as const)
        )
      ) {
        const request = async (value: string) => {
          const reply = await server.call(method, path, {
            key,
            body: bodyOf(value),
            headers: freshKey(),
          });
          ok(reply.status < 300, reply.text);
          if (reply.status !== 202) return [shown(reply, value)];
          const { result } = await waitForOperation(server, reply.json.id, key);
          return [shown(reply, value), without(JSON.stringify(result), value)];
        };
        deepStrictEqual(await request(id), await request(unknownId(id)), `${name} with ${id}`);
      }
    }
  });
});

Deno.test("lists treat a different project's cursor like an invalid cursor", async () => {
  await withStranger(async (server, theirs, mine, key) => {
    const { json: document } = await server.call("GET", "/v1/openapi.json");
    const lists = endpointsIn(document).filter(([, operation]) =>
      idFieldsOf(operation, document).includes("cursor") ||
      operation.parameters?.some(({ name }: { name: string }) => name === "cursor")
    );
    ok(lists.length >= 8);
    for (const [name] of lists) {
      const [method, path] = name.split(" ") as [string, string];
      const list = (ids: Ids, cursor?: string) => {
        if (method === "POST") {
          const body = { limit: 1, ...cursor === undefined ? {} : { cursor } };
          return server.call("POST", path, { key: ids === theirs ? server.key : key, body });
        }
        const kind = KIND_OF_PATH.find(([start]) => path.startsWith(start))?.[1];
        const endpoint = kind === undefined ? path : path.replace("{id}", ids[kind]);
        const user = path === "/v1/memories" ? `&user_id=${theirs.entity}` : "";
        const from = cursor === undefined ? "" : `&cursor=${cursor}`;
        return server.call("GET", `${endpoint}?limit=1${user}${from}`, {
          key: ids === theirs ? server.key : key,
        });
      };
      const cursor: string = (await list(theirs)).json.next_cursor;
      strictEqual((await list(theirs, cursor)).status, 200, `${name}: its own next page`);
      const invented = (cursor.startsWith("A") ? "B" : "A") + cursor.slice(1);
      const [foreign, unknown] = [await list(mine, cursor), await list(mine, invented)];
      strictEqual(foreign.status, 400, `${name}: ${foreign.text}`);
      deepStrictEqual(shown(foreign, cursor), shown(unknown, invented), name);
    }
  });
});

Deno.test("tools treat a different project's id like an unknown id", async () => {
  await withStranger(async (server, theirs, _, key) => {
    const peer = await connectOverHttp(server.url, key);
    try {
      const { tools } = await peer.client.listTools();
      let requests = 0;
      for (const { name, inputSchema } of tools) {
        const fields = Object.keys(inputSchema.properties ?? {});
        const idField = fields.find((field) =>
          /^(memory|document|event|operation)_id$/.test(field)
        );
        if (idField === undefined) continue;
        const others = Object.fromEntries(
          Object.entries(OTHER_ARGUMENTS).filter(([field]) => fields.includes(field)),
        );
        for (const id of Object.values(theirs)) {
          const request = async (value: string) => {
            const reply = await peer.call(name, { ...others, [idField]: value });
            return [reply.isError, without(reply.text, value)];
          };
          const [foreign, unknown] = [await request(id), await request(unknownId(id))];
          strictEqual(foreign[0], true, `${name} with ${id}`);
          deepStrictEqual(foreign, unknown, `${name} with ${id}`);
          requests++;
        }
      }
      ok(requests >= 7 * Object.keys(theirs).length, `${requests} requests`);
    } finally {
      await peer.close();
    }
  });
});
