import { ERRORS, type Reason } from "../../src/api/errors.ts";
import { MCP_PATH } from "../../src/mcp/handle-mcp.ts";
import type { Components, Json } from "./components.ts";

export const MCP_TAG = "MCP";

const ID: Json = {
  oneOf: [{ type: "string" }, { type: "number" }, { type: "null" }],
  description: "The id of the request.",
  examples: [1],
};
const VERSION: Json = { type: "string", const: "2.0", description: "The version of JSON-RPC." };
const REFUSALS: readonly Reason[] = ["invalid_api_key", "api_key_in_query", "sandbox_api_key"];

/** The schemas of JSON-RPC. */
const SCHEMAS: Readonly<Record<string, Json>> = {
  McpJsonRpcRequest: {
    type: "object",
    description: "A JSON-RPC 2.0 request, or a notification without an id.",
    required: ["jsonrpc", "method"],
    properties: {
      jsonrpc: VERSION,
      id: { ...ID, description: "Chosen by the client. A notification has none." },
      method: { type: "string", description: "The method of the protocol.", examples: ["tools/call"] },
      params: {
        type: "object",
        description: "The parameters of the method.",
        examples: [{ name: "get_trader", arguments: { address: "trd_12" } }],
      },
    },
  },
  McpJsonRpcResponse: {
    type: "object",
    description: "A JSON-RPC 2.0 response: a result, or an error.",
    required: ["jsonrpc", "id"],
    properties: {
      jsonrpc: VERSION,
      id: { ...ID, description: "The id of the request; null when it had none that could be read." },
      result: {
        type: "object",
        description: "The result of the method. A failed tool call is a result with `isError`.",
        examples: [{ content: [], structuredContent: {}, isError: false }],
      },
      error: {
        type: "object",
        description: "A protocol error.",
        required: ["code", "message"],
        properties: {
          code: { type: "integer", description: "The code of JSON-RPC or of the protocol.", examples: [-32_601] },
          message: { type: "string", description: "A description in English.", examples: ["Method not found."] },
          data: { description: "Facts about the error.", examples: [{ requested: "1999-01-01" }] },
        },
      },
    },
  },
};

/** The entry of the endpoint for agents, which is no operation of the registry: its tools run the operations. */
export function mcpPathsOf(components: Components): Json {
  Object.assign(components.schemas, SCHEMAS);
  const json = (name: string, example: unknown) => ({
    "application/json": { schema: { $ref: `#/components/schemas/${name}` }, example },
  });
  const failure = (description: string) => ({
    description,
    content: json("McpJsonRpcResponse", {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_600, message: "Invalid request." },
    }),
  });
  const refusal = (reasons: readonly Reason[]) => ({
    description: reasons.map((reason) => `\`${reason}\`: ${ERRORS[reason].message}`).join(" "),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  });
  return {
    [MCP_PATH]: {
      post: {
        operationId: "createMcpJsonRpcResponse",
        tags: [MCP_TAG],
        summary: "Send a Model Context Protocol message.",
        description:
          "A remote MCP server with read-only tools, one for each read of this API. The handshake, the lists and the prompts are public; `tools/call` needs a key with an active plan. Protocol errors are JSON-RPC; refused credentials and exceeded address budgets have the shape of `Error`.",
        security: [{}, { bearer: [] }],
        parameters: [
          headerParameter("MCP-Protocol-Version", "The revision of the protocol. None means 2025-03-26.", "2025-11-25"),
          headerParameter("Mcp-Session-Id", "The id that `initialize` returned. It is echoed.", "0b1f6c1e"),
        ],
        requestBody: {
          required: true,
          content: json("McpJsonRpcRequest", { jsonrpc: "2.0", id: 1, method: "ping", params: {} }),
        },
        responses: {
          "200": {
            description: "The response to a request.",
            content: json("McpJsonRpcResponse", { jsonrpc: "2.0", id: 1, result: {} }),
          },
          "202": { description: "A notification was received." },
          "400": failure("The body is no message of the protocol, or its headers do not match it."),
          "401": refusal(REFUSALS),
          "403": refusal(["forbidden"]),
          "404": failure("The revision 2026-07-28 does not have the method."),
          "413": failure("The body is larger than 1,048,576 bytes."),
          "415": failure("The body is not declared as JSON."),
          "429": refusal(["ip_rate_limited", "ip_throttled"]),
          "500": refusal(["internal_error"]),
        },
      },
    },
  };
}

const headerParameter = (name: string, description: string, example: string): Json => ({
  ...{ name, in: "header", required: false, description },
  schema: { type: "string" },
  example,
});
