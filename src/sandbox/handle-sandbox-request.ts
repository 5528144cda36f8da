import { serializeResponse } from "../api/cache/serialized-response.ts";
import { ApiError } from "../api/errors.ts";
import type { ListOperation, Operation, RedirectOperation, SingleOperation } from "../api/operation.ts";
import { parsePath } from "../api/request/path-params.ts";
import { applyQuery, type AppliedQuery } from "../api/request/query-policy.ts";
import { parseBody, readJsonBody } from "../api/request/read-body.ts";
import type { RequestTrace } from "../api/request-trace.ts";
import { presentError } from "../api/response/error-response.ts";
import { presentPreflight } from "../api/response/cors.ts";
import type { HeaderFields } from "../api/response/header-fields.ts";
import { toResponse } from "../api/response/reply.ts";
import { describeDeprecation, presentResponse, presentText } from "../api/response/respond.ts";
import type { Config } from "../config.ts";
import { presentsSandboxKey } from "./check-credential.ts";
import type { Log } from "../platform/log/log.ts";
import type { FindRoute } from "./find-route.ts";
import { sandboxPath } from "./sandbox-path.ts";
import { requestedError, splitQuery } from "./sandbox-status.ts";
import type { OperationSample, Samples } from "./samples.ts";
import { presentSampleFile } from "./sample-file.ts";

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface SandboxExchange {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly startedAt: Date;
  readonly trace: RequestTrace;
  /** Response headers collected so far, for success and error alike. */
  readonly headers: HeaderFields;
}

export interface SandboxContext {
  readonly config: Config;
  readonly findRoute: FindRoute;
  readonly samples: Samples;
  /** The sandbox's own OpenAPI document, or 304. */
  presentDocument(request: Request): Promise<Response>;
}

/**
 * Responds to a request of the sandbox with a sample. It takes no runtime, so it cannot read or store anything.
 *
 * @throws ApiError as the live API would, and the error that `sandbox_status` asks for
 */
export async function handleSandboxRequest(exchange: SandboxExchange, context: SandboxContext): Promise<Response> {
  const { request, url } = exchange;
  const pathname = url.pathname.slice(sandboxPath(context.config).length) || "/";
  if (request.method === "OPTIONS") return preflight(pathname, context);
  if (pathname.startsWith("/files/")) return presentSampleFile(request, pathname, context.samples);
  const operation = findOperation(request, pathname, context);
  exchange.trace.operation = `sandbox:${operation.id}`;
  return respond(operation, pathname, exchange, context);
}

function findOperation({ method }: Request, pathname: string, { findRoute }: SandboxContext): Operation {
  const route = findRoute(pathname);
  if (route === null) throw new ApiError("unknown_endpoint");
  const served = method === "HEAD" ? "get" : method.toLowerCase();
  const operation = route.operations.find((candidate) => candidate.method === served);
  if (operation === undefined) throw new ApiError("method_not_allowed", { headers: { Allow: route.allow } });
  return operation;
}

function preflight(pathname: string, { findRoute }: SandboxContext): Response {
  const route = pathname.startsWith("/files/") ? { allow: "GET, HEAD, OPTIONS" } : findRoute(pathname);
  if (route === null) throw new ApiError("unknown_endpoint");
  return new Response(null, { status: 204, headers: presentPreflight(route.allow) });
}

async function respond(
  operation: Operation,
  pathname: string,
  { request, url, requestId, startedAt, headers, trace }: SandboxExchange,
  { config, samples, presentDocument }: SandboxContext,
): Promise<Response> {
  if (operation.access === "key" && (await presentsSandboxKey(request, url, config)))
    headers.set("X-Oxi-Sandbox-Key", "valid");
  const { statuses, rest } = splitQuery(url.search.slice(1));
  const query = applyQuery(operation, rest, request.headers.get("x-query-validation") === "strict");
  parsePath(operation, pathname);
  const sample = sampleOf(operation, samples);
  const requested = requestedError(statuses, sample);
  if (requested !== null)
    return presentError(requested, {
      requestId,
      method: request.method,
      docsUrl: `${config.webBaseUrl}/docs`,
      now: startedAt,
      // The same request gets the same sample.
      random: () => 0,
      // Nothing has failed: a sample of a failure must not look like one in the log.
      log: SILENT,
      trace,
    });
  if (operation.kind === "retired")
    throw new ApiError("operation_retired", { headers: describeDeprecation(operation.alias, url.pathname) });
  if (operation.kind === "stream")
    throw new ApiError("bad_request", { message: "The sandbox has no stream: a live connection cannot be sampled." });
  if (operation.kind === "redirect")
    return operation.servesTarget === true ? presentDocument(request) : redirectToFile(operation, sample, config);
  const responseContext = {
    operation,
    query,
    pathname: url.pathname,
    ifNoneMatch: request.headers.get("if-none-match"),
    requestId,
    cost: operation.kind === "single" && operation.batchUnits !== undefined ? null : operation.cost,
  };
  if (operation.kind === "text") return toResponse(presentText(responseContext, sample.text ?? ""));
  if (operation.kind === "single") await checkBody(operation, request);
  const view = sample.views?.[String(query.values["view"])];
  const { meta, ...envelope } = pageOf(operation, view ?? sample.body ?? {}, query);
  // The board is the one view without a validator.
  const isConditional = operation.conditional && query.values["view"] !== "board";
  const response = await serializeResponse(envelope, recordOf(meta), isConditional, startedAt.getTime());
  return toResponse(presentResponse(responseContext, response, null));
}

function sampleOf({ id }: Operation, { operations }: Samples): OperationSample {
  const sample = operations[id];
  if (sample === undefined) throw new Error(`the operation ${id} has no sample: run npm run openapi`);
  return sample;
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function redirectToFile({ id, status }: RedirectOperation, { file }: OperationSample, config: Config): Response {
  if (file === undefined) throw new Error(`the redirect ${id} has no sample file`);
  return new Response(null, { status, headers: { Location: `${config.sandboxBaseUrl}${file}` } });
}

/** @throws ApiError as the live API would; the body is not used otherwise */
async function checkBody({ body, isBodyOptional }: SingleOperation, request: Request): Promise<void> {
  if (body === undefined) return;
  parseBody(body, isBodyOptional && request.body === null ? {} : await readJsonBody(request));
}

/**
 * The first page, or the last one for the cursor of the first: a client that follows cursors comes to an end.
 *
 * @throws ApiError invalid_query for any other cursor
 */
function pageOf(
  operation: SingleOperation | ListOperation,
  body: Readonly<Record<string, unknown>>,
  query: AppliedQuery,
): Readonly<Record<string, unknown>> {
  if (operation.kind !== "list" || query.cursor === null || operation.cursor === null) return body;
  if (query.cursor !== body["next_cursor"])
    throw new ApiError("invalid_query", { param: "cursor", message: "cursor was not issued by this list." });
  const { next_cursor: _, ...page } = body;
  return { ...page, has_more: false, ...(operation.cursor.sendsNull ? { next_cursor: null } : {}) };
}
