import { z } from "zod";
import type { Exchange } from "../../api/exchange.ts";
import type { TextOperation } from "../../api/operation.ts";
import type { Revision } from "../protocol/decide-revision.ts";
import { invalidParams, RPC_CODES, RpcError, type Json, type RpcRequest } from "../protocol/json-rpc.ts";
import type { McpTexts } from "../mcp-texts.ts";
import { callTool } from "../tools/call-tool.ts";
import type { ToolOperation } from "../tools/tool.ts";
import { presentPrompt, presentPrompts } from "./prompts.ts";
import { notFoundCodeOf, presentResources, presentTemplates, readResource } from "./resources.ts";
import { discover, implementationOf, initialize } from "./server-info.ts";
import { HOUR_MS } from "../../scoring/utc-calendar.ts";

export interface McpServer {
  readonly tools: ReadonlyMap<string, ToolOperation>;
  readonly documents: readonly TextOperation[];
  readonly texts: McpTexts;
}

/** Lists and public texts change only with a release. */
const TTL_MS = HOUR_MS;

type Cacheability = "public" | "private" | "none";

const CallParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

/**
 * Runs one request.
 *
 * @param admitAddress spends the IP budget. An operation that is run spends it itself
 * @returns the result as JSON
 * @throws RpcError, or ApiError where HTTP itself reports the failure
 */
export async function runMethod(
  { method, params }: RpcRequest,
  revision: Revision,
  server: McpServer,
  exchange: Exchange,
  admitAddress: () => Promise<void>,
): Promise<string> {
  const { config } = exchange.runtime;
  const present = (result: string, cacheability: Cacheability) =>
    revision.isStateless ? withMetadata(result, cacheability, implementationOf(config)) : result;
  if (method === "tools/call") {
    const call = CallParams.safeParse(params);
    if (call.success) return present(await callTool(call.data, server, exchange, admitAddress), "none");
    await admitAddress();
    throw invalidParams("tools/call requires params.name, a string; params.arguments, when given, is an object.");
  }
  if (method === "resources/read") {
    const notFoundCode = notFoundCodeOf(revision.isStateless);
    const { result, isPublic } = await readResource(params, server, exchange, admitAddress, notFoundCode);
    return present(result, isPublic ? "public" : "private");
  }
  await admitAddress();
  if (method === "prompts/get") return present(presentPrompt(params), "none");
  if (!revision.isStateless && method === "initialize") return initialize(params, config);
  if (!revision.isStateless && method === "ping") return "{}";
  if (revision.isStateless && method === "server/discover") return present(discover(), "public");
  const list = await findList(method, server);
  if (list === null)
    throw new RpcError(RPC_CODES.method_not_found, `Method not found in revision ${revision.version}.`, {
      status: revision.isStateless ? 404 : 200,
    });
  // Every list has one page, so that no cursor was ever issued.
  if (params["cursor"] !== undefined) throw invalidParams("Unknown cursor: this list has one page.");
  return present(list, "public");
}

async function findList(method: string, { documents, texts }: McpServer): Promise<string | null> {
  switch (method) {
    case "tools/list":
      return texts.loadToolList();
    case "prompts/list":
      return presentPrompts();
    case "resources/list":
      return presentResources();
    case "resources/templates/list":
      return presentTemplates(documents);
    default:
      return null;
  }
}

/** Adds what revision 2026-07-28 requires of every result. No result of ours is empty. */
function withMetadata(result: string, cacheability: Cacheability, serverInfo: Json): string {
  const metadata = {
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    ...(cacheability === "none" ? {} : { ttlMs: cacheability === "public" ? TTL_MS : 0, cacheScope: cacheability }),
  };
  return `${JSON.stringify(metadata).slice(0, -1)},${result.slice(1)}`;
}
