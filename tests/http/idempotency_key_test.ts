/** Tests idempotency keys and command digests. */

import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { checkIdempotencyKey, commandDigest } from "../../src/http/idempotency.ts";
import { errorOf } from "../../testing/schemas.ts";

Deno.test("checkIdempotencyKey() accepts 1 to 200 printable ASCII characters, or no key", () => {
  for (const key of ["k", "k".repeat(200), "a key, with: ~blanks~", undefined]) {
    strictEqual(checkIdempotencyKey(key), key);
  }
  for (const key of ["", "k".repeat(201), "clé", "tab\there"]) {
    const refused = errorOf(() => checkIdempotencyKey(key))!;
    strictEqual(refused.status, 400);
    deepStrictEqual(refused.issues.map(({ path }) => path), ["Idempotency-Key"]);
  }
});

Deno.test("commandDigest() is the same however the same JSON is written", () => {
  const digestOf = (json: string) => commandDigest("POST", "/v1/memories", JSON.parse(json));
  strictEqual(
    digestOf('{"content":"x","user_id":"ana","infer":false,"metadata":{"a":1,"b":2}}'),
    digestOf(
      '{ "metadata": {"b": 2.0, "a": 1}, "infer": false,\n "user_id": "ana", "content": "\\u0078" }',
    ),
  );
});

Deno.test("commandDigest() depends on the method, the path, the query and the body", () => {
  const digest = commandDigest("DELETE", "/v1/memories?user_id=ana", { a: [1, 2] });
  const others = [
    commandDigest("PUT", "/v1/memories?user_id=ana", { a: [1, 2] }),
    commandDigest("DELETE", "/v1/memory?user_id=ana", { a: [1, 2] }),
    commandDigest("DELETE", "/v1/memories?user_id=bo", { a: [1, 2] }),
    commandDigest("DELETE", "/v1/memories?user_id=ana", { a: [2, 1] }),
    commandDigest("DELETE", "/v1/memories?user_id=ana", undefined),
  ];
  for (const other of others) notStrictEqual(other, digest);
});
