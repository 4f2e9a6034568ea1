/** The endpoint for imports from other products. */

import {
  accepted,
  commandEndpoint,
  type Endpoint,
  ok,
  receivedSchema,
} from "../contract/endpoint.ts";
import { scopeOf } from "../contract/fields.ts";
import { checkDeclaredLength } from "../kernel/http/body_limit.ts";
import { importBytes } from "../kernel/http/body_stream.ts";
import { invalidField } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { operationSchema } from "../operations/schema.ts";
import { importedFile, importParams, type ImportQuery, importQuery } from "./schema.ts";
import { importReport } from "./report.ts";
import type { ImportService, ReceivedImport } from "./service.ts";

/** Dependencies of the route. */
export interface ImportDeps {
  readonly imports: ImportService;
  /** Whether imports can ask for inference. */
  readonly allowInference: boolean;
}

/** Returns the endpoint for imports from other products. */
export function importRoutes({ imports, allowInference }: ImportDeps): Endpoint[] {
  return [
    commandEndpoint<{ format: string }, ImportQuery, ReceivedImport>({
      method: "POST",
      path: "/v1/imports/{format}",
      operationId: "importFile",
      tag: "Export and import",
      summary: "Import a file of another product into this project, or report what that would do",
      permission: "memory:write",
      params: importParams,
      query: importQuery,
      body: receivedSchema<ReceivedImport>(importedFile),
      bodyType: "application/octet-stream",
      idempotencyKey: ({ options }) => !options.dryRun,
      success: [
        { status: 202, description: "Queued", schema: operationSchema },
        { status: 200, description: "What the import would do", schema: importReport },
      ],
      errors: ["INVALID_IMPORT", "REQUEST_TOO_LARGE"],
      receive: (request, { actor, params, query }) => {
        if (query.infer && !allowInference) {
          throw invalidField("infer", "Imports can't use inference in the hosted variant");
        }
        checkDeclaredLength(request.headers, { bytes: LIMITS.importFileBytes });
        const bytes = importBytes(request.body, LIMITS.importFileBytes);
        return imports.receive(bytes, actor.project, {
          format: params.format,
          scope: scopeOf(query),
          infer: query.infer,
          dryRun: query.dry_run,
          filename: query.filename ?? "",
        });
      },
      change: ({ actor, body }) => async (tx) =>
        body.options.dryRun ? ok(body.report) : accepted(await imports.enqueue(tx, actor, body)),
    }),
  ];
}
