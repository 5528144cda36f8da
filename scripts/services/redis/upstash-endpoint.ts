import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { RedisRunner, RedisReply } from "./redis-runner.ts";
import { MemoryRedis } from "./memory-redis.ts";
import { connectRedis } from "./redis-connection.ts";

export interface UpstashEndpoint {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

/**
 * Speaks Upstash's REST protocol on loopback: a command in the body of `POST /`, several in `/pipeline`, a
 * transaction in `/multi-exec`. Commands run in memory, or in a real Redis when `redisUrl` is given.
 */
export async function startUpstash(options: {
  port: number;
  token: string;
  redisUrl?: string;
}): Promise<UpstashEndpoint> {
  const runner: RedisRunner =
    options.redisUrl === undefined ? new MemoryRedis(Date.now) : await connectRedis(options.redisUrl);
  const expected = `Bearer ${options.token}`;
  const server = createServer((request, response) => {
    if (request.headers.authorization !== expected)
      return send(response, 401, { error: "WRONGPASS invalid or missing auth token" });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      handle(request, Buffer.concat(chunks).toString(), runner).then(
        (body) => send(response, "error" in body ? 400 : 200, body),
        (error: unknown) =>
          send(response, 400, { error: `ERR ${error instanceof Error ? error.message : String(error)}` }),
      );
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(options.port, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}`,
    token: options.token,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      runner.close();
    },
  };
}

type CommandResult = { result: unknown } | { error: string };

async function handle(
  request: IncomingMessage,
  body: string,
  runner: RedisRunner,
): Promise<CommandResult | CommandResult[]> {
  const base64 = request.headers["upstash-encoding"] === "base64";
  const parsed: unknown = JSON.parse(body);
  const path = request.url?.split("?")[0];
  if (path === "/pipeline" || path === "/multi-exec") {
    const results: CommandResult[] = [];
    for (const command of parsed as unknown[][]) results.push(await runOne(command, runner, base64));
    return results;
  }
  return runOne(parsed as unknown[], runner, base64);
}

async function runOne(command: readonly unknown[], runner: RedisRunner, base64: boolean): Promise<CommandResult> {
  try {
    const reply = await runner.run(command.map(String));
    return { result: base64 ? encode(reply) : reply };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Upstash encodes every string except the plain OK. */
function encode(reply: RedisReply): RedisReply {
  if (typeof reply === "string") return reply === "OK" ? reply : Buffer.from(reply).toString("base64");
  return Array.isArray(reply) ? reply.map(encode) : reply;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
  response.end(bytes);
}
