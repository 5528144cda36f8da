import { ApiError, ERRORS } from "../api/errors.ts";
import type { Exchange } from "../api/exchange.ts";
import { isWebOnly, type Operation } from "../api/operation.ts";
import { readJsonBody } from "../api/request/read-body.ts";
import { presentPreflight } from "../api/response/cors.ts";
import type { Config } from "../config.ts";
import type { McpTexts } from "./mcp-texts.ts";
import { runMethod, type McpServer } from "./methods/run-method.ts";
import { isAllowedOrigin } from "./protocol/allowed-origin.ts";
import { decideRevision, headerRevision } from "./protocol/decide-revision.ts";
import {
  invalidRequest,
  parseMessage,
  presentResult,
  presentRpcError,
  RPC_CODES,
  RpcError,
  type JsonRpcId,
  type RpcMessage,
  type RpcRequest,
} from "./protocol/json-rpc.ts";
import { hasBatches, STATELESS_VERSION } from "./protocol/versions.ts";
import { definePlanRequest } from "./tools/plan-request.ts";
import { documentsOf, toolsOf, type ToolOperation } from "./tools/tool.ts";

export const MCP_PATH = "/api/v1/mcp";

/** A batch runs its messages at the same time, so this also bounds the load of one HTTP request. */
const MAX_BATCH_MESSAGES = 10;
const ALLOW = "POST, OPTIONS";
/** The characters that a session id may have. */
const SESSION_ID = /^[!-~]{1,256}$/;

/** The tools and documents of a registry. */
export const openMcpServer = (operations: readonly Operation[], texts: McpTexts): McpServer => ({
  tools: openTools(operations, texts.loadInputSchemas),
  documents: documentsOf(operations),
  texts,
});

/** The tools of a registry, then our own. */
export function openTools(
  operations: readonly Operation[],
  loadInputSchemas: McpTexts["loadInputSchemas"],
): ReadonlyMap<string, ToolOperation> {
  const tools: ReadonlyMap<string, ToolOperation> = toolsOf([
    ...operations.filter((operation) => !isWebOnly(operation)),
    definePlanRequest((name) => tools.get(name), loadInputSchemas),
  ]);
  return tools;
}

/** The value of Access-Control-Allow-Origin; null where no page may read the response. */
export function mcpCorsOrigin(headers: Headers, config: Config): string | null {
  const origin = headers.get("origin");
  return origin !== null && isAllowedOrigin(origin, [config.apiBaseUrl, config.webBaseUrl]) ? origin : null;
}

/**
 * Handles one HTTP request to the endpoint. Protocol errors are JSON-RPC errors.
 *
 * @param admitAddress spends the IP budget of the request
 * @throws ApiError for a foreign Origin, a refused credential and an exceeded budget of the address
 */
export async function handleMcp(
  exchange: Exchange,
  server: McpServer,
  admitAddress: () => Promise<void>,
): Promise<Response> {
  const { request, runtime } = exchange;
  const corsOrigin = mcpCorsOrigin(request.headers, runtime.config);
  if (request.headers.has("origin") && corsOrigin === null) {
    await admitAddress();
    const message = "Pages of this origin may not call the MCP endpoint.";
    throw new ApiError("forbidden", { param: "Origin", message });
  }
  if (request.method !== "POST") {
    await admitAddress();
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: preflightHeaders(corsOrigin) });
    const error = new RpcError(RPC_CODES.method_not_allowed, "Method not allowed. Send JSON-RPC requests with POST.", {
      status: 405,
    });
    return presentFailedRequest(null, error, { Allow: ALLOW });
  }
  return handlePost(exchange, server, admitAddress);
}

function preflightHeaders(corsOrigin: string | null): Headers {
  const headers = presentPreflight(ALLOW);
  headers.append("Access-Control-Allow-Headers", "Mcp-Method, Mcp-Name");
  if (corsOrigin === null) headers.delete("Access-Control-Allow-Origin");
  else headers.set("Access-Control-Allow-Origin", corsOrigin);
  return headers;
}

async function handlePost(exchange: Exchange, server: McpServer, admitAddress: () => Promise<void>): Promise<Response> {
  const { headers } = exchange.request;
  const answer = (message: RpcMessage, isBatched: boolean) =>
    answerMessage(message, isBatched, { exchange, server, admitAddress });
  let body: unknown;
  try {
    body = await readJsonBody(exchange.request);
  } catch (error) {
    await admitAddress();
    // The revision 2026-07-28 leaves an unreadable id out, earlier ones send null.
    const id = headers.get("mcp-protocol-version") === STATELESS_VERSION ? undefined : null;
    return presentFailedRequest(id, unreadableBody(error));
  }
  if (!Array.isArray(body)) {
    const { text, status, headers: own } = await answer(parseMessage(body), false);
    return new Response(text, { status, headers: { ...own, ...sessionHeaders(exchange.request, body) } });
  }
  try {
    requireBatch(body, headers.get("mcp-protocol-version"));
  } catch (error) {
    await admitAddress();
    if (error instanceof RpcError) return presentFailedRequest(null, error);
    throw error;
  }
  const answers = await Promise.all(body.map((message) => answer(parseMessage(message), true)));
  const texts = answers.flatMap(({ text }) => text ?? []);
  if (texts.length === 0) return new Response(null, { status: 202 });
  return new Response(`[${texts.join(",")}]`, { headers: { ...JSON_TYPE, ...sessionHeaders(exchange.request, null) } });
}

const JSON_TYPE = { "content-type": "application/json" };

/** @throws RpcError invalid_request */
function requireBatch(messages: readonly unknown[], header: string | null): void {
  const revision = headerRevision(header);
  if (revision.isStateless || !hasBatches(revision.version))
    throw invalidRequest(`Revision ${revision.version} has no batches. Send one message in each request.`);
  if (messages.length === 0 || messages.length > MAX_BATCH_MESSAGES)
    throw invalidRequest(`A batch has 1 to ${MAX_BATCH_MESSAGES} messages.`);
}

interface Answer {
  /** Null where the message gets none. */
  readonly text: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface Connection {
  readonly exchange: Exchange;
  readonly server: McpServer;
  readonly admitAddress: () => Promise<void>;
}

async function answerMessage(message: RpcMessage, isBatched: boolean, connection: Connection): Promise<Answer> {
  const { exchange, admitAddress } = connection;
  if (message.kind === "request") return answerRequest(message, isBatched, connection);
  await admitAddress();
  if (message.kind === "invalid") return failedAnswer(message.id, message.error);
  if (message.kind === "idless") return { text: null, status: 400, headers: {} };
  try {
    headerRevision(exchange.request.headers.get("mcp-protocol-version"));
    return { text: null, status: 202, headers: {} };
  } catch (error) {
    if (error instanceof RpcError) return failedAnswer(null, error);
    throw error;
  }
}

async function answerRequest(
  request: RpcRequest,
  isBatched: boolean,
  { exchange, server, admitAddress }: Connection,
): Promise<Answer> {
  try {
    const revision = await decide(request, isBatched, exchange.request.headers).catch(async (error: unknown) => {
      await admitAddress();
      throw error;
    });
    const result = await runMethod(request, revision, server, exchange, admitAddress);
    return { text: presentResult(request.id, result), status: 200, headers: JSON_TYPE };
  } catch (error) {
    if (error instanceof RpcError) return failedAnswer(request.id, error);
    throw error;
  }
}

async function decide(request: RpcRequest, isBatched: boolean, headers: Headers) {
  const revision = decideRevision(headers, request);
  if (revision.isStateless && request.id === null)
    throw invalidRequest(`In revision ${revision.version} the id is not null.`);
  if (isBatched && request.method === "initialize") throw invalidRequest("initialize cannot be part of a batch.");
  return revision;
}

const failedAnswer = (id: JsonRpcId | undefined, error: RpcError): Answer => ({
  text: presentRpcError(id, error),
  status: error.status,
  headers: { ...JSON_TYPE, "X-Mcp-Error-Code": String(error.code) },
});

function presentFailedRequest(
  id: JsonRpcId | undefined,
  error: RpcError,
  further: Readonly<Record<string, string>> = {},
): Response {
  const { text, status, headers } = failedAnswer(id, error);
  return new Response(text, { status, headers: { ...headers, ...further } });
}

/**
 * A session id is minted by `initialize` and echoed after; nothing is stored under it. The revision 2026-07-28 has
 * no sessions.
 */
function sessionHeaders({ headers }: Request, body: unknown): Record<string, string> {
  if (headers.get("mcp-protocol-version") === STATELESS_VERSION) return {};
  const isInitialize = typeof body === "object" && body !== null && "method" in body && body.method === "initialize";
  const sent = headers.get("mcp-session-id");
  if (isInitialize) return { "Mcp-Session-Id": crypto.randomUUID() };
  return sent !== null && SESSION_ID.test(sent) ? { "Mcp-Session-Id": sent } : {};
}

/** The JSON-RPC error of a body that could not be read as safe JSON. */
function unreadableBody(error: unknown): RpcError {
  if (!(error instanceof ApiError)) throw error;
  const { status } = ERRORS[error.reason];
  const code = error.reason === "invalid_body" ? RPC_CODES.parse_error : RPC_CODES.invalid_request;
  return new RpcError(code, error.message, { status, data: { reason: error.reason } });
}
