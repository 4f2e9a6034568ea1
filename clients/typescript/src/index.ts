/** `@commonplace/client`: a client for Commonplace without dependencies. */

export type { Fields, PageFields, Schemas, Scope, WaitOptions } from "./caller.ts";
export { type ClientOptions, Commonplace } from "./client.ts";
export type {
  DocumentFields,
  Documents,
  DocumentSearchFields,
  UploadFields,
  UploadOptions,
  UploadProgress,
} from "./documents.ts";
export * from "./errors.ts";
export type { RequestOptions } from "./http.ts";
export type {
  AddFields,
  Content,
  Inference,
  InferFields,
  PendingInference,
  QueryFields,
  SearchFields,
} from "./memories.ts";
export { type Page, Pages } from "./pages.ts";
export type { FileContent } from "./upload.ts";
export type { BeliefFields, ContextFields, StateFields } from "./views.ts";
