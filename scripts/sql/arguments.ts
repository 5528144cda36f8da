import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import type { Operation } from "../../src/api/operation.ts";
import { findReadOperation, READ_OPERATIONS } from "./read-operations.ts";

export const USAGE = "npm run sql -- [NAME [--path /api/v1/...] [--explain]] [--data DIR]";

export interface SqlRequest {
  readonly operation: Operation;
  /** Path and query; null for an example of the benchmark. */
  readonly path: string | null;
  readonly withPlans: boolean;
  readonly dataDir: string;
}

/**
 * @returns null to list the operations
 * @throws Error for a mistake
 */
export function parseSqlArguments(argv: readonly string[]): SqlRequest | null {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      path: { type: "string" },
      explain: { type: "boolean", default: false },
      data: { type: "string", default: ".local" },
    },
  });
  const [name, ...rest] = positionals;
  if (name === undefined) return null;
  const operation = READ_OPERATIONS.find(({ id }) => id === name);
  if (operation === undefined) throw new Error(`There is no read operation ${name}.`);
  if (rest.length > 0) throw new Error("Name one operation.");
  const { path = null } = values;
  if (path !== null && findReadOperation(path.split("?")[0] ?? "") !== operation) {
    throw new Error(`--path must be a path of ${name}: ${operation.path}.`);
  }
  return { operation, path, withPlans: values.explain, dataDir: values.data };
}

/**
 * The variables of the environment, or those of the running product of a data directory.
 *
 * @throws Error when neither names a database
 */
export function readVariables(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  if (env["DATABASE_URL"] !== undefined) return env;
  const file = join(dataDir, "worker.env");
  if (existsSync(file)) return parseEnv(readFileSync(file, "utf8"));
  throw new Error(
    `Set DATABASE_URL, or pass --data with the data directory of a running product (${dataDir} has none).`,
  );
}
