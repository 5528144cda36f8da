import type { Kernel, KernelResponse } from "../kernel/open-kernel.ts";

export const MCP_PATH = "/api/v1/mcp";
export const STATELESS = "2026-07-28";

interface Sent {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends any value as the body of one request to the endpoint. */
export const postMcp = (api: Kernel, value: unknown, { key, headers = {} }: Sent = {}): Promise<KernelResponse> =>
  api.send(MCP_PATH, {
    method: "POST",
    ...(key === undefined ? {} : { key }),
    headers: { "content-type": "application/json", ...headers },
    body: typeof value === "string" ? value : JSON.stringify(value),
  });

/** Sends one request of a revision with a handshake. */
export const rpc = (api: Kernel, method: string, params: object = {}, sent: Sent = {}): Promise<KernelResponse> =>
  postMcp(api, { jsonrpc: "2.0", id: 1, method, params }, sent);

/** Sends one request of the stateless revision, with its metadata and headers. */
export function statelessRpc(
  api: Kernel,
  method: string,
  params: Record<string, unknown> = {},
  { key, headers = {} }: Sent = {},
): Promise<KernelResponse> {
  const name = params["name"] ?? params["uri"];
  const meta = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const own = {
    "mcp-protocol-version": STATELESS,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
  };
  const body = { jsonrpc: "2.0", id: 1, method, params: { _meta: meta, ...params } };
  return postMcp(api, body, { ...(key === undefined ? {} : { key }), headers: { ...own, ...headers } });
}

/** Calls a tool. */
export const callTool = (api: Kernel, name: string, args: object = {}, sent: Sent = {}): Promise<KernelResponse> =>
  rpc(api, "tools/call", { name, arguments: args }, sent);
