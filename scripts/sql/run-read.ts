import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { ApiError } from "../../src/api/errors.ts";
import type { Operation } from "../../src/api/operation.ts";
import { runHandler } from "../../src/api/pipeline/run-handler.ts";
import { parsePath } from "../../src/api/request/path-params.ts";
import { applyQuery } from "../../src/api/request/query-policy.ts";
import { parseBody } from "../../src/api/request/read-body.ts";
import { parseConfig } from "../../src/config.ts";
import type { OperationContext } from "../../src/context.ts";
import type { Database } from "../../src/db/client.ts";
import { SCOPES } from "../../src/domain/accounts/accounts.ts";
import { openReceiverPolicy } from "../../src/platform/http/check-receiver.ts";
import type { MeterVerdict } from "../../src/platform/objects/meter.ts";
import type { Sample } from "../bench/operations/samples.ts";

export interface LoggedStatement {
  readonly text: string;
  readonly params: readonly unknown[];
}

export interface ReadRun {
  readonly statements: readonly LoggedStatement[];
  /** The body without `meta`; null for text, redirects and errors. */
  readonly body: string | null;
  /** The error of the response, or null. */
  readonly error: ApiError | null;
}

/**
 * Runs an operation as the kernel does, without budgets, credential and cache, and rolls back what it writes.
 *
 * @param variables of the Worker; those that no read uses may be missing
 */
export async function runRead(
  operation: Operation,
  sample: Sample,
  { client, variables }: { client: pg.Client; variables: object },
): Promise<ReadRun> {
  const statements: LoggedStatement[] = [];
  const logger = { logQuery: (text: string, params: unknown[]) => void statements.push({ text, params }) };
  // Reads call nothing but `execute` and the query builder, which both drivers have with the same result.
  const db = drizzle(client, { logger }) as unknown as Database;
  return inRolledBackTransaction(client, async () => {
    try {
      const context = contextOf(db, variables);
      return { statements, body: await readBody(operation, sample, context), error: null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { statements, body: null, error };
    }
  });
}

/** The lines of the plan of a statement, which is run for it. */
export async function explain(client: pg.Client, { text, params }: LoggedStatement): Promise<string[]> {
  const { rows } = await inRolledBackTransaction(client, () =>
    client.query<[string]>({ text: `explain (analyze, buffers) ${text}`, values: [...params], rowMode: "array" }),
  );
  return rows.map(([line]) => line);
}

async function inRolledBackTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    return await work();
  } finally {
    await client.query("rollback");
  }
}

async function readBody(operation: Operation, sample: Sample, context: OperationContext): Promise<string | null> {
  const { pathname, search } = new URL(sample.path, context.config.apiBaseUrl);
  const params = parsePath(operation, pathname);
  const query = applyQuery(operation, search.slice(1), true);
  if (operation.kind === "stream" || operation.kind === "redirect" || operation.kind === "retired") return null;
  if (operation.kind === "text") {
    await operation.handle({ params, query: query.values }, context);
    return null;
  }
  const schema = operation.kind === "single" ? operation.body : undefined;
  const body = schema === undefined ? null : parseBody(schema, sample.body);
  const { head } = await runHandler(operation, { params, query, body }, context);
  return `${head}}`;
}

const UNUSED_SECRET = "a secret that no read has any use for";

/** Variables that a database alone does not give. */
const STAND_INS = {
  SERVICE_NAME: "sql",
  KEY_PREFIX: "svc",
  API_BASE_URL: "http://127.0.0.1",
  WEB_BASE_URL: "http://localhost",
  PROVIDER_GAMMA_URL: "http://127.0.0.1",
  PROVIDER_DATA_URL: "http://127.0.0.1",
  PROVIDER_CLOB_URL: "http://127.0.0.1",
  PROVIDER_TRADES_SOCKET_URL: "ws://127.0.0.1",
  PROVIDER_SPORTS_SOCKET_URL: "ws://127.0.0.1",
  BACKFILL_DAYS: "0",
  FEED_POLL_SECONDS: "10",
  LARGE_TRADE_MIN_USD: "5000",
  UPSTASH_REDIS_REST_URL: "http://127.0.0.1",
  UPSTASH_REDIS_REST_TOKEN: "unused",
  CREDENTIAL_SECRET: `${UNUSED_SECRET} (credentials)`,
  CURSOR_SECRET: `${UNUSED_SECRET} (cursors)`,
  SESSION_SECRET: `${UNUSED_SECRET} (sessions)`,
};

const refuse = () => Promise.reject(new Error("a read does not use this"));

/** What a handler needs, with a caller that may read everything. */
function contextOf(db: Database, variables: object): OperationContext {
  const config = parseConfig({ ...STAND_INS, ...variables });
  return {
    member: null,
    principal: {
      accountId: 1,
      credentialKind: "api_key",
      keyId: 1,
      plan: "max",
      entitledPlan: "max",
      scopes: SCOPES,
      payAsYouGo: false,
    },
    admission: admitted,
    requestId: "req_sql",
    now: new Date(),
    config,
    db,
    cache: { getMany: refuse, set: refuse, delete: refuse, ping: () => Promise.resolve() },
    meter: { refuse, forget: refuse },
    webhooks: {
      policy: openReceiverPolicy(config, refuse),
      fetch: refuse,
      enqueue: refuse,
      hold: refuse,
      resume: refuse,
      now: () => Date.now(),
      newId: () => crypto.randomUUID(),
    },
    holderScanner: { scan: () => Promise.resolve(false) },
    exports: { enqueue: refuse, createLink: refuse },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    wait: () => Promise.resolve(),
  };
}

const budget = { limit: 100, remaining: 100, resetAtMs: 0 };
const admitted: MeterVerdict = {
  refusedBy: null,
  retryAtMs: null,
  accounting: "persisted",
  window: budget,
  primary: budget,
  batch: budget,
  quota: { ...budget, used: 0 },
  day: { used: 0, resetAtMs: 0 },
};
