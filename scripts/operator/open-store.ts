import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { z } from "zod";
import type { Database } from "../../src/db/client.ts";
import type { KeyRing } from "../../src/lib/crypto/key-ring.ts";
import type { Meter } from "../../src/platform/objects/meter.ts";
import { OperatorError } from "./arguments.ts";
import { openRemoteMeter } from "./remote-meter.ts";

const Settings = z.object({
  DATABASE_URL: z.string().min(1),
  CREDENTIAL_SECRET: z.string().min(32).optional(),
  CREDENTIAL_SECRET_PREVIOUS: z.string().default(""),
  KEY_PREFIX: z.string().default("svc"),
  API_BASE_URL: z.url().optional(),
});

/** The resources of the commands. */
export interface Store {
  readonly db: Database;
  /** The meters of the running product. Null when its address or its secret is unknown. */
  readonly meter: Pick<Meter, "refuse" | "forget"> | null;
  /** Null when unknown: then no key can be issued, and nothing be sealed again. */
  readonly credentialKeys: KeyRing | null;
  readonly keyPrefix: string;
  close(): Promise<void>;
}

/**
 * Opens the services of the environment, or else those of the running product of a data directory.
 *
 * @throws OperatorError
 */
export async function openStore(env: NodeJS.ProcessEnv, dataDir: string): Promise<Store> {
  const settings = readSettings(env, dataDir);
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  await client.connect().catch((cause: Error) => {
    throw new OperatorError(`The database cannot be reached (${cause.message}). Start the local product first.`, {
      cause,
    });
  });
  const { API_BASE_URL: url, CREDENTIAL_SECRET: secret } = settings;
  return {
    db: openOverTcp(client),
    meter: url === undefined || secret === undefined ? null : openRemoteMeter(url, secret),
    credentialKeys: ringOf(settings),
    keyPrefix: settings.KEY_PREFIX,
    close: () => client.end(),
  };
}

/** The ring as `src/config.ts` reads it. */
function ringOf(settings: z.output<typeof Settings>): KeyRing | null {
  const { CREDENTIAL_SECRET: current, CREDENTIAL_SECRET_PREVIOUS: previous } = settings;
  return current === undefined ? null : { current, previous: previous.split(",").filter((part) => part !== "") };
}

/**
 * Over TCP instead of HTTP. Both drivers run statements with the same results; only this one has no
 * `batch`.
 */
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
    throw new OperatorError(
      `Set DATABASE_URL, or pass --data with the data directory of a running product (${dataDir} has none).`,
    );
  }
  const parsed = Settings.safeParse(env["DATABASE_URL"] === undefined ? parseEnv(readFileSync(file, "utf8")) : env);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OperatorError(`${String(issue?.path[0])} is invalid: ${issue?.message}`);
}
