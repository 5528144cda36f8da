import { createInterface } from "node:readline";
import { z } from "zod";
import { ClientError } from "../../../src/client/index.ts";
import type { CommandContext } from "../context.ts";

const Message = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z
    .looseObject({
      name: z.string().optional(),
      uri: z.string().optional(),
      _meta: z.looseObject({ "io.modelcontextprotocol/protocolVersion": z.string().optional() }).optional(),
    })
    .optional(),
});
const Initialized = z.looseObject({ result: z.looseObject({ protocolVersion: z.string() }) });

const [PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR] = [-32_700, -32_600, -32_603];

/** Passes JSON-RPC messages between stdio, one a line, and the endpoint for agents. */
export async function bridgeMcp(context: CommandContext): Promise<void> {
  const client = context.client();
  let session: Record<string, string> = {};
  const running = new Set<Promise<void>>();

  const reply = (message: unknown) => void process.stdout.write(`${JSON.stringify(message)}\n`);
  const fail = (id: unknown, code: number, message: string) =>
    reply({ jsonrpc: "2.0", id: id ?? null, error: { code, message } });

  async function pass(line: string): Promise<void> {
    const { data: value, error: parseError } = parseLine(line);
    if (parseError !== undefined) return fail(null, PARSE_ERROR, "The line is not JSON.");
    const { data: message } = Message.safeParse(value);
    if (message === undefined) return fail(null, INVALID_REQUEST, "The line is not one JSON-RPC request.");
    try {
      // The whole value is sent as it came; the schema reads only what the headers need.
      const answer = await client.createMcpJsonRpcResponse(
        { body: value as { jsonrpc: "2.0"; method: string } },
        { headers: { ...session, ...headersOf(message) }, signal: context.signal },
      );
      const opened = Initialized.safeParse(answer);
      if (message.method === "initialize" && opened.success) {
        const id = answer.http.headers.get("mcp-session-id");
        session = { "mcp-protocol-version": opened.data.result.protocolVersion, ...(id && { "mcp-session-id": id }) };
      }
      if (message.id !== undefined) reply(answer);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (message.id !== undefined) fail(message.id, INTERNAL_ERROR, `${error.name}: ${error.message}`);
      else context.output.error(error.message);
    }
  }

  for await (const line of createInterface({ input: context.stdin, signal: context.signal })) {
    if (line.trim() === "") continue;
    const task = pass(line).finally(() => running.delete(task));
    running.add(task);
    // The revision of the handshake is a header of every later message.
    if (line.includes('"initialize"')) await task;
  }
  await Promise.all(running);
}

function parseLine(line: string): { data?: unknown; error?: unknown } {
  try {
    return { data: JSON.parse(line) };
  } catch (error) {
    return { error };
  }
}

/** The headers by which the stateless revision repeats what a message says. */
function headersOf({ method, params }: z.output<typeof Message>): Record<string, string> {
  const { _meta: meta, name, uri } = params ?? {};
  const version = meta?.["io.modelcontextprotocol/protocolVersion"];
  if (version === undefined) return {};
  const target = name ?? uri;
  return { "mcp-protocol-version": version, "mcp-method": method, ...(target !== undefined && { "mcp-name": target }) };
}
