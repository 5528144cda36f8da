import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import pg from "pg";
import { WebSocketServer } from "ws";

export interface NeonEndpoint {
  /** The value for `neonConfig.fetchEndpoint`. */
  readonly httpUrl: string;
  /** The value for `neonConfig.wsProxy`: host, port and path, without a scheme. */
  readonly socketProxy: string;
  stop(): Promise<void>;
}

interface Query {
  query: string;
  params: (string | null)[];
}

/** `queryMode` is an option of pg that its types lack. */
interface ExtendedQuery extends pg.QueryArrayConfig<(string | null)[]> {
  queryMode: "extended";
}

// The driver parses values itself, by type id, and needs the server's text.
const AS_TEXT = { getTypeParser: () => (value: string) => value };
/** Short, because each requested database has its own pool and all pools share Postgres' sessions. */
const IDLE_MS = 1_000;
const ignore = () => undefined;
const ISOLATION: Record<string, string> = {
  ReadUncommitted: "read uncommitted",
  ReadCommitted: "read committed",
  RepeatableRead: "repeatable read",
  Serializable: "serializable",
};

/**
 * Speaks Neon's protocol in front of any Postgres: `POST /sql` for single statements and batches, and the
 * WebSocket tunnel `/v2`. The database is that of each request's connection string; host and port are those
 * of `databaseUrl`.
 */
export async function startNeonEndpoint({
  port,
  databaseUrl,
}: {
  port: number;
  databaseUrl: string;
}): Promise<NeonEndpoint> {
  const target = new URL(databaseUrl);
  const pools = new Map<string, pg.Pool>();
  const poolFor = (connectionString: string) => {
    const database = new URL(connectionString).pathname;
    let pool = pools.get(database);
    if (pool === undefined) {
      const url = new URL(databaseUrl);
      url.pathname = database;
      pool = new pg.Pool({ connectionString: url.href, max: 10, types: AS_TEXT, idleTimeoutMillis: IDLE_MS });
      pool.on("error", ignore);
      pools.set(database, pool);
    }
    return pool;
  };

  const server = createServer((request, response) => {
    // Statements of a caller that is gone leave the queue of the pool, or a burst would keep it full of them.
    const isWanted = () => !response.destroyed;
    handleSql(request, poolFor, isWanted).then(
      (body) => send(response, 200, body),
      (error: unknown) => send(response, 400, presentError(error)),
    );
  });
  const sockets = new WebSocketServer({ server, path: "/v2", perMessageDeflate: false });
  sockets.on("connection", (socket) => {
    const tunnel = connect(Number(target.port || 5432), target.hostname).setNoDelay(true);
    socket.on("message", (data: Buffer) => tunnel.write(data));
    tunnel.on("data", (data) => socket.send(data));
    tunnel.on("close", () => socket.close());
    tunnel.on("error", () => socket.close());
    socket.on("close", () => tunnel.destroy());
    socket.on("error", () => tunnel.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    httpUrl: `http://127.0.0.1:${bound}/sql`,
    socketProxy: `127.0.0.1:${bound}/v2`,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

async function handleSql(
  request: IncomingMessage,
  poolFor: (url: string) => pg.Pool,
  isWanted: () => boolean,
): Promise<unknown> {
  const body: Query | { queries: Query[] } = JSON.parse(await text(request));
  const pool = poolFor(String(request.headers["neon-connection-string"]));
  const arrayMode = request.headers["neon-array-mode"] === "true";
  const client = await pool.connect();
  // The pool listens for errors only while a session is idle; without this a lost server would end this
  // process.
  client.on("error", ignore);
  let broken = false;
  try {
    if (!isWanted()) throw new Error("the caller is gone");
    broken = true;
    const result =
      "queries" in body
        ? { results: await runBatch(client, beginStatement(request), body.queries, arrayMode) }
        : await run(client, body, arrayMode);
    broken = false;
    return result;
  } finally {
    client.off("error", ignore);
    client.release(broken);
  }
}

async function runBatch(
  client: pg.PoolClient,
  begin: string,
  queries: readonly Query[],
  arrayMode: boolean,
): Promise<unknown[]> {
  try {
    await client.query(begin);
    const results = [];
    for (const query of queries) results.push(await run(client, query, arrayMode));
    await client.query("commit");
    return results;
  } catch (error) {
    await client.query("rollback").catch(ignore);
    throw error;
  }
}

function beginStatement(request: IncomingMessage): string {
  const isolation =
    ISOLATION[String(request.headers["neon-batch-isolation-level"] ?? "ReadCommitted")] ?? "read committed";
  const access = request.headers["neon-batch-read-only"] === "true" ? " read only" : "";
  const deferrable = request.headers["neon-batch-deferrable"] === "true" ? " deferrable" : "";
  return `begin isolation level ${isolation}${access}${deferrable}`;
}

async function run(target: pg.PoolClient, { query, params }: Query, arrayMode: boolean): Promise<unknown> {
  // The extended protocol also without parameters: the real service refuses two statements in one text, which
  // the simple protocol would run.
  const statement: ExtendedQuery = {
    text: query,
    values: params,
    rowMode: "array",
    types: AS_TEXT,
    queryMode: "extended",
  };
  const result = await target.query(statement);
  const fields = result.fields;
  const rows = arrayMode
    ? result.rows
    : result.rows.map((row) => Object.fromEntries(fields.map((field, i) => [field.name, row[i]])));
  return { command: result.command, rowCount: result.rowCount, rowAsArray: arrayMode, rows, fields };
}

function presentError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) return { ...error, message: error.message };
  return { message: error instanceof Error ? error.message : String(error), code: "08006", severity: "FATAL" };
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
  response.end(bytes);
}
