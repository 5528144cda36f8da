import { decodeHeaderValue } from "./header-value.ts";
import { invalidRequest, RPC_CODES, RpcError, type Json, type RpcRequest } from "./json-rpc.ts";
import {
  findLegacyVersion,
  HEADERLESS_VERSION,
  STATELESS_VERSION,
  SUPPORTED_VERSIONS,
  type LegacyVersion,
} from "./versions.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

export type Revision =
  | { readonly isStateless: false; readonly version: LegacyVersion }
  | { readonly isStateless: true; readonly version: typeof STATELESS_VERSION };

/**
 * The revision that the header names, for messages without metadata of their own.
 *
 * @throws RpcError invalid_request for an unknown revision
 */
export function headerRevision(header: string | null): Revision {
  if (header === STATELESS_VERSION) return { isStateless: true, version: STATELESS_VERSION };
  const version = header === null ? HEADERLESS_VERSION : findLegacyVersion(header);
  if (version !== null) return { isStateless: false, version };
  const message = `MCP-Protocol-Version names an unsupported revision. Supported: ${SUPPORTED_VERSIONS.join(", ")}.`;
  throw invalidRequest(message, { supported: SUPPORTED_VERSIONS, requested: header });
}

/**
 * The revision of a request. One that carries its revision in `_meta` is judged by the rules of 2026-07-28.
 *
 * @throws RpcError invalid_request, invalid_params, header_mismatch or unsupported_version, each with status 400
 */
export function decideRevision(headers: Headers, request: RpcRequest): Revision {
  const header = headers.get("mcp-protocol-version");
  const meta = objectOf(request.params["_meta"]);
  const declared = meta?.[VERSION_KEY];
  const isStateless =
    header === STATELESS_VERSION ||
    request.method === "server/discover" ||
    (declared !== undefined && findLegacyVersion(declared) === null);
  if (!isStateless) return headerRevision(header);
  if (typeof declared !== "string") throw missingMeta(VERSION_KEY);
  if (objectOf(meta?.[CAPABILITIES_KEY]) === null) throw missingMeta(CAPABILITIES_KEY);
  requireHeader("MCP-Protocol-Version", header, declared);
  if (declared !== STATELESS_VERSION) {
    throw new RpcError(RPC_CODES.unsupported_version, "Unsupported protocol version", {
      status: 400,
      data: { supported: SUPPORTED_VERSIONS, requested: declared },
    });
  }
  requireHeader("Mcp-Method", headers.get("mcp-method"), request.method);
  const parameter = NAMED_BY[request.method];
  const name = parameter === undefined ? undefined : request.params[parameter];
  if (typeof name === "string") requireHeader("Mcp-Name", decodeName(headers.get("mcp-name")), name);
  return { isStateless: true, version: STATELESS_VERSION };
}

const decodeName = (header: string | null): string | null => (header === null ? null : decodeHeaderValue(header));

function requireHeader(name: string, header: string | null, value: string): void {
  if (header === value) return;
  const problem = header === null ? "is missing or malformed" : "does not match the body";
  throw new RpcError(RPC_CODES.header_mismatch, `Header mismatch: ${name} ${problem}. The body has '${value}'.`, {
    status: 400,
  });
}

const missingMeta = (key: string): RpcError =>
  new RpcError(RPC_CODES.invalid_params, `params._meta must have ${key} in revision ${STATELESS_VERSION}.`, {
    status: 400,
    data: { supported: SUPPORTED_VERSIONS },
  });

const objectOf = (value: unknown): Json | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
