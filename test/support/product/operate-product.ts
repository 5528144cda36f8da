import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { parseOperatorArguments } from "../../../scripts/operator/arguments.ts";
import { openStore } from "../../../scripts/operator/open-store.ts";
import { runOperatorCommand } from "../../../scripts/operator/run-command.ts";

/**
 * Runs an operator command on a started product.
 *
 * @param dataDir of the product
 * @param line such as `revoke-key 7`
 */
export async function operateProduct(dataDir: string, databaseUrl: string, line: string): Promise<string> {
  const variables = parseEnv(readFileSync(join(dataDir, "worker.env"), "utf8"));
  const store = await openStore({ ...variables, DATABASE_URL: databaseUrl }, "/nowhere");
  try {
    return await runOperatorCommand(parseOperatorArguments(line.split(" ")).command, store, new Date());
  } finally {
    await store.close();
  }
}
