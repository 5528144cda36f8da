import { isRegion } from "../../src/domain/regions.ts";
import { checkConfiguration } from "./check-configuration.ts";
import { checkPostgres, checkRedis } from "./check-databases.ts";
import { checkDeployed } from "./check-deployed.ts";
import { checkEndpoints } from "./check-endpoints.ts";
import { checkEnvironment } from "./check-environment.ts";
import type { Finding } from "./finding.ts";
import type { PreflightPorts } from "./ports.ts";
import type { Environment } from "./read-environment.ts";

export interface PreflightInput {
  readonly environment: Environment;
  readonly secrets: Readonly<Record<string, string>>;
  readonly isDeployed: boolean;
}

/** Everything that is wrong with an environment. Nothing is reached with a configuration that the Worker refuses. */
export async function runPreflight(
  { environment, secrets, isDeployed }: PreflightInput,
  ports: PreflightPorts,
): Promise<readonly Finding[]> {
  const { config, findings } = checkConfiguration(environment, secrets);
  const known = [...findings, ...checkEnvironment(environment)];
  const { REGION: region = "" } = environment.vars;
  if (config === null || !isRegion(region)) return known;
  const reached = await Promise.all([
    checkPostgres(config, region, ports),
    checkRedis(config, ports),
    checkEndpoints(config, region, ports),
    isDeployed ? checkDeployed(config, ports) : [],
  ]);
  return [...known, ...reached.flat()];
}
