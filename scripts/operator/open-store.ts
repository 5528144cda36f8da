import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { z } from "zod";
import type { Database } from "../../src/db/client.ts";
import type { Cache } from "../../src/ports/cache.ts";
import { RedisCache } from "../../src/ports/redis-cache.ts";
import { openRedis } from "../../src/ports/redis-client.ts";
import { OperatorError } from "./arguments.ts";

const Settings = z.object({
  DATABASE_URL: z.string().min(1),
  CREDENTIAL_SECRET: z.string().min(32).optional(),
  KEY_PREFIX: z.string().default("svc"),
  UPSTASH_REDIS_REST_URL: z.url().optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
});

/** What the commands work on. */
export interface Store {
  readonly db: Database;
  /** Null when it is not known where Redis is. */
  readonly cache: Cache | null;
  /** Null when it is not known: no key can be issued then. */
  readonly credentialSecret: string | null;
  readonly keyPrefix: string;
  close(): Promise<void>;
}

/**
 * Opens what the environment names, or else what the product that runs on a data directory uses.
 *
 * @throws OperatorError
 */
export async function openStore(env: NodeJS.ProcessEnv, dataDir: string): Promise<Store> {
  const settings = readSettings(env, dataDir);
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  await client.connect().catch((cause: Error) => {
    throw new OperatorError(`The database cannot be reached (${cause.message}). A local product has to be running.`, { cause });
  });
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = settings;
  return {
    db: openOverTcp(client),
    cache: url === undefined || token === undefined ? null : new RedisCache(openRedis(url, token), Date.now),
    credentialSecret: settings.CREDENTIAL_SECRET ?? null,
    keyPrefix: settings.KEY_PREFIX,
    close: () => client.end(),
  };
}

/** Over TCP in place of HTTP. The queries used here call `execute`, which both drivers have with the same result, and `batch`. */
function openOverTcp(client: pg.Client): Database {
  const db = drizzle(client);
  const batch = async (statements: readonly PromiseLike<unknown>[]) => {
    await client.query("begin");
    try {
      const results: unknown[] = [];
      // A statement is sent when it is awaited.
      for (const statement of statements) results.push(await statement);
      await client.query("commit");
      return results;
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  };
  return Object.assign(db, { batch }) as unknown as Database;
}

function readSettings(env: NodeJS.ProcessEnv, dataDir: string): z.output<typeof Settings> {
  const file = join(dataDir, "worker.env");
  if (env["DATABASE_URL"] === undefined && !existsSync(file)) {
    throw new OperatorError(`Set DATABASE_URL, or name with --data the data directory of a product that runs (${dataDir} is none).`);
  }
  const parsed = Settings.safeParse(env["DATABASE_URL"] === undefined ? parseEnv(readFileSync(file, "utf8")) : env);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OperatorError(`${String(issue?.path[0])} is not right: ${issue?.message}`);
}
