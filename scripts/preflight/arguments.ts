import { existsSync, readFileSync } from "node:fs";
import { parseArgs, parseEnv } from "node:util";
import { z } from "zod";
import { ENVIRONMENTS, type EnvironmentName } from "./read-environment.ts";

export const USAGE = "npm run preflight -- --env staging|production [--secrets FILE] [--deployed]";

export interface PreflightArguments {
  readonly environment: EnvironmentName;
  readonly secrets: Readonly<Record<string, string>>;
  /** Whether the Worker is expected to answer at its host names. */
  readonly isDeployed: boolean;
}

/** @throws Error with one sentence for a mistake */
export function parsePreflightArguments(argv: readonly string[]): PreflightArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: { env: { type: "string" }, secrets: { type: "string" }, deployed: { type: "boolean", default: false } },
  });
  const environment = z.enum(ENVIRONMENTS).safeParse(values.env);
  if (!environment.success) throw new Error("--env must be staging or production.");
  const file = values.secrets ?? `.secrets.${environment.data}`;
  if (!existsSync(file)) throw new Error(`${file} with the secrets of ${environment.data} does not exist.`);
  const secrets = parseEnv(readFileSync(file, "utf8"));
  return {
    environment: environment.data,
    secrets: z.record(z.string(), z.string()).parse(secrets),
    isDeployed: values.deployed,
  };
}
