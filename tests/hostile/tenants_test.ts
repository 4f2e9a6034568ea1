/**
 * Another project's id answers byte for byte as one that nobody has, wherever an id can be sent.
 * What is asked follows from the OpenAPI document and from the list of tools: whatever is new and
 * takes an id is asked too, or fails here until it is told how.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";
import { connectOverHttp } from "../mcp/client.ts";
import { bytesOf, extractFile, freshKey, waitForOperation } from "../uploads/files.ts";

/** One id of each kind; for an entity the name of the scope. */
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

/** The kind of `{id}` in a path that begins so. */
const KIND_OF_PATH: readonly (readonly [start: string, kind: Kind])[] = [
  ["/v1/memories/", "memory"],
  ["/v1/documents/", "document"],
  ["/v1/document-uploads/", "upload"],
  ["/v1/operations/", "operation"],
  ["/v1/events/", "event"],
  ["/v1/entities/", "entity"],
];

/** A body with which an endpoint would do its work if only the id were right. */
const BODY_BESIDE_ID: Readonly<Record<string, unknown>> = {
  "PUT /v1/memories/{id}": { content: "Taken over" },
  "POST /v1/memories/{id}/feedback": { rating: "positive" },
  "PUT /v1/document-uploads/{id}/content": "Taken over",
};

/** Bodies that hold an id, by the field that holds it. */
const BODY_WITH_ID: Readonly<Record<string, readonly ((id: string) => unknown)[]>> = {
  "PUT /v1/memories/batch memory_id": [
    (id) => ({ memories: [{ memory_id: id, content: "Taken over" }] }),
    (id) => ({ memories: [{ memory_id: id, content: "Taken over", version: "2020-01-01" }] }),
  ],
  "DELETE /v1/memories/batch memory_id": [(id) => ({ memories: [{ memory_id: id }] })],
  "POST /v1/memories/search filters": [
    (id) => ({ query: "tea", filters: { id } }),
    (id) => ({ query: "tea", filters: { id: { in: [id] } } }),
    (id) => ({ query: "tea", filters: { OR: [{ id }, { NOT: { id: { ne: id } } }] } }),
  ],
};

/** Fields that look like ids and name nothing that is kept. */
const LABELS: readonly string[] = [
  // What a rating is about, in the client's words: stored, never looked up.
  "POST /v1/memories/{id}/feedback request_id",
  // Where a snapshot was made. The ids of its records may not be taken anywhere in the database,
  // which an import tells (SNAPSHOT_ID_CONFLICT): docs/hostile.md.
  "POST /v1/imports project_id",
];

/** Arguments of a tool beside the id. */
const ARGUMENTS_BESIDE_ID: Readonly<Record<string, unknown>> = {
  content: "Taken over",
  rating: "positive",
  start_byte: 0,
  end_byte: 10,
};

const SCOPES = ["user_id", "agent_id", "run_id"];

/** A project that has one of everything, each list two rows long. */
async function furnish(server: TestServer, key: string, user: string): Promise<Ids> {
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
  await send("POST", "/v1/memories", { messages, ...scope, agent_id: "kitchen" });
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

/** As long as `id`, of the same form, and nobody's. */
function nobodys(id: string): string {
  return id.slice(0, -6) + "zzzzzz";
}

/** What an answer shows, less what no two answers share, and less the id itself. */
function shown({ status, headers, text }: Reply, id: string): unknown {
  const kept = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return [status, kept, without(text, id)];
}

function without(text: string, id: string): string {
  return text.replaceAll(encodeURIComponent(id), "ID").replaceAll(id, "ID")
    .replaceAll(/"(req|task)_[0-9a-z]{26}"/g, '"$1"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"');
}

// deno-lint-ignore no-explicit-any -- read by its own rules
type Description = any;

/** `METHOD /path` with the description of each endpoint. */
function endpointsIn(document: Description): [name: string, operation: Description][] {
  return Object.entries<Description>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Description>(methods).map(([method, operation]): [string, Description] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ])
  );
}

/** The names of fields within the JSON body of an endpoint that can hold an id. */
function idFieldsOf(operation: Description, document: Description): string[] {
  const found = new Set<string>();
  const look = (schema: Description): void => {
    if (schema === null || typeof schema !== "object") return;
    if (schema.$ref) look(document.components.schemas[schema.$ref.split("/").at(-1)]);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (/(^|_)ids?$|^filters$|cursor/.test(name) && !SCOPES.includes(name)) found.add(name);
      look(field);
    }
    look(schema.items);
    for (const part of [...schema.anyOf ?? [], ...schema.allOf ?? [], ...schema.oneOf ?? []]) {
      look(part);
    }
  };
  for (const { schema } of Object.values<Description>(operation.requestBody?.content ?? {})) {
    look(schema);
  }
  return [...found];
}

/** Everything that a project shows of itself. */
async function portrait({ call }: TestServer, key: string, ids: Ids, user: string) {
  const paths = [
    `memories?user_id=${user}`,
    `memories/${ids.memory}/history`,
    `memories/${ids.memory}/feedback`,
    "documents",
    `documents/${ids.document}/content`,
    `document-uploads/${ids.upload}`,
    "entities",
    // Not those that derive: they begin by themselves.
    "operations?kind=document_extract",
    "operations?kind=memory_infer",
    "events",
  ];
  const replies = await Promise.all(paths.map((path) => call("GET", `/v1/${path}`, { key })));
  for (const reply of replies) strictEqual(reply.status, 200, reply.text);
  return replies.map(({ text }) => text);
}

/** Runs `work` with a project that is asked about, and a key of another. */
async function withStranger(
  work: (server: TestServer, theirs: Ids, mine: Ids, key: string) => Promise<void>,
): Promise<void> {
  await withServer(async (server) => {
    const key = await server.createKey("elsewhere");
    const [theirs, mine] = [
      await furnish(server, server.key, "ana-of-theirs"),
      await furnish(server, key, "bo-of-mine"),
    ];
    await idle(server, server.key);
    const before = await portrait(server, server.key, theirs, "ana-of-theirs");
    await work(server, theirs, mine, key);
    deepStrictEqual(await portrait(server, server.key, theirs, "ana-of-theirs"), before);
  });
}

/** Waits until inference has ended, so that nothing changes by itself. */
async function idle(server: TestServer, key: string): Promise<void> {
  for (;;) {
    const { json } = await server.call("GET", "/v1/events", { key });
    const over = ["SUCCEEDED", "FAILED"];
    if (json.results.every(({ status }: { status: string }) => over.includes(status))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("an id in a path, of whatever kind, is another project's or nobody's alike", async () => {
  await withStranger(async (server, theirs, _, key) => {
    const { json: document } = await server.call("GET", "/v1/openapi.json");
    let asked = 0;
    for (const [name] of endpointsIn(document).filter(([name]) => name.includes("{id}"))) {
      const [method, path] = name.split(" ") as [string, string];
      ok(KIND_OF_PATH.some(([start]) => path.startsWith(start)), `${name}: an id of which kind?`);
      for (const id of Object.values(theirs)) {
        const ask = (value: string) => {
          const body = BODY_BESIDE_ID[name];
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
        const [foreign, unknown] = [await ask(id), await ask(nobodys(id))];
        deepStrictEqual(shown(foreign, id), shown(unknown, nobodys(id)), `${name} with ${id}`);
        strictEqual(foreign.status, 404, `${name} with ${id}: ${foreign.text}`);
        asked++;
      }
    }
    ok(asked >= 17 * Object.keys(theirs).length, `${asked} asked`);
  });
});

Deno.test("an id in a body is another project's or nobody's alike", async () => {
  await withStranger(async (server, theirs, _, key) => {
    const { json: document } = await server.call("GET", "/v1/openapi.json");
    const places = endpointsIn(document).flatMap(([name, operation]) =>
      idFieldsOf(operation, document).map((field) => `${name} ${field}`)
    );
    deepStrictEqual(places.toSorted(), [...Object.keys(BODY_WITH_ID), ...LABELS].toSorted());
    for (const [place, bodies] of Object.entries(BODY_WITH_ID)) {
      const [method, path] = place.split(" ") as [string, string];
      for (
        const [bodyOf, id] of bodies.flatMap((each) =>
          Object.values(theirs).map((id) => [each, id] as const)
        )
      ) {
        const ask = async (value: string) => {
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
        deepStrictEqual(await ask(id), await ask(nobodys(id)), `${place} with ${id}`);
      }
    }
  });
});

Deno.test("a cursor of another project is as good as an invented one", async () => {
  await withStranger(async (server, theirs, mine, key) => {
    const { json: document } = await server.call("GET", "/v1/openapi.json");
    const lists = endpointsIn(document).filter(([, operation]) =>
      operation.parameters?.some(({ name }: { name: string }) => name === "cursor")
    );
    ok(lists.length >= 7);
    for (const [name] of lists) {
      const path = name.split(" ")[1]!;
      const list = (ids: Ids, cursor?: string) => {
        const kind = KIND_OF_PATH.find(([start]) => path.startsWith(start))?.[1];
        const whole = kind === undefined ? path : path.replace("{id}", ids[kind]);
        const user = path === "/v1/memories" ? `&user_id=${theirs.entity}` : "";
        const from = cursor === undefined ? "" : `&cursor=${cursor}`;
        return server.call("GET", `${whole}?limit=1${user}${from}`, {
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

Deno.test("an id in a tool's arguments is another project's or nobody's alike", async () => {
  await withStranger(async (server, theirs, _, key) => {
    const peer = await connectOverHttp(server.url, key);
    try {
      const { tools } = await peer.client.listTools();
      let asked = 0;
      for (const { name, inputSchema } of tools) {
        const fields = Object.keys(inputSchema.properties ?? {});
        const place = fields.find((field) => /^(memory|document|event|operation)_id$/.test(field));
        if (place === undefined) continue;
        const beside = Object.fromEntries(
          Object.entries(ARGUMENTS_BESIDE_ID).filter(([field]) => fields.includes(field)),
        );
        for (const id of Object.values(theirs)) {
          const ask = async (value: string) => {
            const reply = await peer.call(name, { ...beside, [place]: value });
            return [reply.isError, without(reply.text, value)];
          };
          const [foreign, unknown] = [await ask(id), await ask(nobodys(id))];
          strictEqual(foreign[0], true, `${name} with ${id}`);
          deepStrictEqual(foreign, unknown, `${name} with ${id}`);
          asked++;
        }
      }
      ok(asked >= 7 * Object.keys(theirs).length, `${asked} asked`);
    } finally {
      await peer.close();
    }
  });
});
