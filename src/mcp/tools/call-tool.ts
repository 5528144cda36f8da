import { ApiError } from "../../api/errors.ts";
import type { Exchange } from "../../api/exchange.ts";
import { presentedHashes } from "../../auth/authenticate.ts";
import { editDistance } from "../../lib/edit-distance.ts";
import type { McpTexts } from "../mcp-texts.ts";
import { invalidParams, type Json } from "../protocol/json-rpc.ts";
import { admitOnce } from "./admit-once.ts";
import { buildRequest } from "./build-request.ts";
import { checkArguments } from "./check-arguments.ts";
import { fitResult, type FittedResult } from "./fit-result.ts";
import { isTransportFailure, presentFailure } from "./present-failure.ts";
import { requireFreshness } from "./require-freshness.ts";
import { runInternally } from "./run-internally.ts";
import { judgesAge, MAX_AGE_ARGUMENT, type ToolOperation } from "./tool.ts";

const MAX_NAME_DISTANCE = 3;

export interface ToolCall {
  readonly name: string;
  readonly arguments: Json;
}

/**
 * Runs a tool through the pipeline of REST.
 *
 * @param admitAddress spends the IP budget of a call that never reaches its operation
 * @returns the CallToolResult as JSON. Failures of the call are results with `isError`
 * @throws ApiError when HTTP itself reports the failure: 401, or the budget of the address
 * @throws RpcError invalid_params for an unknown tool
 */
export async function callTool(
  call: ToolCall,
  { tools, texts }: { readonly tools: ReadonlyMap<string, ToolOperation>; readonly texts: McpTexts },
  exchange: Exchange,
  admitAddress: () => Promise<void>,
): Promise<string> {
  // A call without a credential learns nothing else, and starts the authorization of its client.
  await presentedHashes(exchange.request, exchange.url, exchange.runtime).catch(async (error: unknown) => {
    await admitAddress();
    throw error;
  });
  const operation = tools.get(call.name);
  const schema = (await texts.loadInputSchemas())[call.name];
  if (operation === undefined || schema === undefined) {
    await admitAddress();
    throw invalidParams(`Unknown tool: ${call.name.slice(0, 100)}. ${suggest(call.name, [...tools.keys()])}`);
  }
  exchange.trace.operation = operation.id;
  const fault = checkArguments(schema, call.arguments);
  if (fault !== null) {
    await admitAddress();
    const { param, message } = fault;
    return presentFailedCall(new ApiError("bad_request", { param, message }), exchange);
  }
  try {
    return presentCall(operation, await runTool(operation, call.arguments, exchange));
  } catch (error) {
    if (error instanceof ApiError && isTransportFailure(error)) throw error;
    return presentFailedCall(error, exchange);
  }
}

async function runTool(operation: ToolOperation, args: Json, exchange: Exchange): Promise<FittedResult> {
  const admitted = admitOnce(exchange);
  const read = (some: Json): Promise<string> => runInternally(operation, buildRequest(operation, some), admitted);
  const result = await fitResult(operation, args, read);
  const maxAge = args[MAX_AGE_ARGUMENT];
  if (typeof maxAge === "number" && !judgesAge(operation))
    requireFreshness(JSON.parse(result.text), maxAge, exchange.startedAt);
  return result;
}

/** The text block repeats the structured content as JSON. A shortened list has a second block that says so. */
function presentCall(operation: ToolOperation, { text, limit }: FittedResult): string {
  const blocks = [textBlock(text)];
  if (limit !== null) {
    const note = `The list was read with limit ${limit} to keep the result small. Nothing is lost: next_cursor continues after its last row.`;
    blocks.push(textBlock(JSON.stringify({ shortened: { tool: operation.mcpTool, limit, note } })));
  }
  return `{"content":[${blocks.join(",")}],"structuredContent":${text},"isError":false}`;
}

async function presentFailedCall(error: unknown, exchange: Exchange): Promise<string> {
  const failure = await presentFailure(error, exchange);
  const structured = JSON.stringify({ error: failure.error });
  return `{"content":[${textBlock(structured)}],"structuredContent":${structured},"isError":true}`;
}

const textBlock = (text: string): string => `{"type":"text","text":${JSON.stringify(text)}}`;

function suggest(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: editDistance(name.slice(0, 100), candidate, MAX_NAME_DISTANCE) }))
    .filter(({ distance }) => distance <= MAX_NAME_DISTANCE)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest === undefined ? "tools/list names all tools." : `Did you mean ${nearest.candidate}?`;
}
