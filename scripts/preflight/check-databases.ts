import { sql } from "drizzle-orm";
import type { Config } from "../../src/config.ts";
import { requireCurrentSchema, SchemaOutdated } from "../../src/db/schema-version.ts";
import { describeError } from "../../src/platform/log/console-log.ts";
import { checkDatabaseUrl } from "./check-environment.ts";
import { fault, type Finding } from "./finding.ts";
import type { PreflightPorts } from "./ports.ts";

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Whether Postgres answers over both transports, beside the Worker, with every migration of this build. */
export async function checkPostgres(
  config: Config,
  region: string,
  ports: PreflightPorts,
): Promise<readonly Finding[]> {
  const findings = [...checkDatabaseUrl(config.databaseUrl, region)];
  try {
    await requireCurrentSchema(config.databaseUrl, ports.openDatabase(config), SILENT);
  } catch (error) {
    findings.push(
      fault(
        error instanceof SchemaOutdated
          ? "The database lacks migrations of this build: run npm run migrate before the deployment."
          : `Postgres does not answer over HTTP (${describeError(error)}).`,
      ),
    );
  }
  await ports
    .withSession(config, (session) => session.execute(sql`select 1`))
    .catch((error: unknown) => {
      findings.push(fault(`Postgres accepts no session over a WebSocket (${describeError(error)}).`));
    });
  return findings;
}

/** Whether Redis answers, and lets the Worker write: Upstash has tokens that only read. */
export async function checkRedis(
  { redisUrl, redisToken }: Config,
  { fetch: send }: PreflightPorts,
): Promise<readonly Finding[]> {
  try {
    const response = await send(redisUrl, {
      method: "POST",
      headers: { authorization: `Bearer ${redisToken}`, "content-type": "application/json" },
      body: JSON.stringify(["SET", "preflight", "1", "EX", "10"]),
    });
    if (response.ok) return [];
    return response.status === 401 || response.status === 403
      ? [fault("Redis refuses UPSTASH_REDIS_REST_TOKEN.")]
      : [fault(`Redis refuses a write with status ${response.status}: the token may be the read-only one.`)];
  } catch (error) {
    return [fault(`Redis does not answer at UPSTASH_REDIS_REST_URL (${describeError(error)}).`)];
  }
}
