import { z } from "zod";

export type JsonRpcId = string | number | null;
export type Json = Readonly<Record<string, unknown>>;

export const RPC_CODES = {
  parse_error: -32_700,
  invalid_request: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal_error: -32_603,
  /** Resource not found, until revision 2025-11-25. */
  resource_not_found: -32_002,
  /** Only for HTTP methods other than POST. */
  method_not_allowed: -32_004,
  header_mismatch: -32_020,
  unsupported_version: -32_022,
} as const;

/** A failure that is answered as a JSON-RPC error. */
export class RpcError extends Error {
  override name = "RpcError";
  readonly code: number;
  readonly status: number;
  readonly data: Json | undefined;

  /** @param status the HTTP status; 200 where JSON-RPC alone reports the failure */
  constructor(code: number, message: string, { status = 200, data }: { status?: number; data?: Json } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export const invalidRequest = (message: string, data?: Json): RpcError =>
  new RpcError(RPC_CODES.invalid_request, message, data === undefined ? { status: 400 } : { status: 400, data });
export const invalidParams = (message: string, data?: Json): RpcError =>
  new RpcError(RPC_CODES.invalid_params, message, data === undefined ? {} : { data });

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});

export interface RpcRequest {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: Json;
}

export type RpcMessage =
  | ({ readonly kind: "request" } & RpcRequest)
  | { readonly kind: "notification" }
  /** A method that expects an answer, sent without an id to answer to. */
  | { readonly kind: "idless" }
  | { readonly kind: "invalid"; readonly id: JsonRpcId; readonly error: RpcError };

/** Classifies one parsed JSON value. */
export function parseMessage(value: unknown): RpcMessage {
  const parsed = Message.safeParse(value);
  if (!parsed.success) {
    const { path = [], message = "is not valid" } = parsed.error.issues[0] ?? {};
    const at = path.length === 0 ? "The message" : path.join(".");
    const error = invalidRequest(`Not a JSON-RPC 2.0 request. ${at}: ${message}.`);
    return { kind: "invalid", id: readableId(value), error };
  }
  const { id, method, params = {} } = parsed.data;
  if (id !== undefined) return { kind: "request", id, method, params };
  return { kind: method.startsWith("notifications/") ? "notification" : "idless" };
}

/** The id of a message that may be malformed otherwise; null when it has none that an answer could carry. */
function readableId(value: unknown): JsonRpcId {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** @param result the result as JSON text */
export const presentResult = (id: JsonRpcId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

/** @param id undefined leaves the id out */
export function presentRpcError(id: JsonRpcId | undefined, { code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}
