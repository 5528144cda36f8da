import { z } from "zod";
import type { Config } from "../../src/config.ts";
import { describeError } from "../../src/platform/log/console-log.ts";
import { fault, note, type Finding } from "./finding.ts";
import type { PreflightPorts } from "./ports.ts";

const HealthResponse = z.object({
  data: z.object({
    status: z.string(),
    db: z.boolean(),
    cache: z.boolean(),
    subsystems: z.object({ database_schema: z.boolean() }),
  }),
});

/** Whether the deployed Worker answers at each of its origins, and reaches its databases. */
export async function checkDeployed(config: Config, ports: PreflightPorts): Promise<readonly Finding[]> {
  const { apiBaseUrl, webBaseUrl, sandboxBaseUrl } = config;
  const findings = await Promise.all([
    checkHealth(apiBaseUrl, ports),
    checkAnswer("WEB_BASE_URL", `${webBaseUrl}/docs`, ports),
    checkAnswer("SANDBOX_BASE_URL", `${sandboxBaseUrl}/api/v1/leaderboard`, ports),
  ]);
  return findings.flat();
}

async function checkHealth(apiBaseUrl: string, { fetch: send }: PreflightPorts): Promise<readonly Finding[]> {
  try {
    const response = await send(`${apiBaseUrl}/api/v1/health`);
    if (!response.ok)
      return [
        fault(
          `The Worker answers health with status ${response.status}: its log names a configuration that it refuses.`,
        ),
      ];
    const health = HealthResponse.safeParse(await response.json());
    if (!health.success) return [fault("API_BASE_URL is not answered by this product.")];
    const { status, db, cache, subsystems } = health.data.data;
    return [
      ...(db ? [] : [fault("The Worker does not reach Postgres.")]),
      ...(cache ? [] : [fault("The Worker does not reach Redis.")]),
      ...(db && !subsystems.database_schema
        ? [fault("The deployed build needs migrations that the database lacks.")]
        : []),
      ...(status === "ok" ? [] : [note(`Health is ${status}.`)]),
    ];
  } catch (error) {
    return [fault(`API_BASE_URL does not answer (${describeError(error)}).`)];
  }
}

const checkAnswer = (name: string, url: string, { fetch: send }: PreflightPorts): Promise<readonly Finding[]> =>
  send(url).then(
    ({ ok, status }) => (ok ? [] : [fault(`${name} answers ${url} with status ${status}.`)]),
    (error: unknown) => [fault(`${name} does not answer (${describeError(error)}).`)],
  );
