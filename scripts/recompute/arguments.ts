import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import { z } from "zod";

export const USAGE = `npm run recompute -- [--verify] [--data DIR]

Recomputes every trader's figures from its ledger entries and compares them with the stored ones. With --verify it prints
each difference and exits with 1 if there is one. Without it, it also repairs them, one transaction a trader.

It uses the database of DATABASE_URL; without it, the running product of the data directory DIR (.local).`;

/** A mistake of the user who runs the command, as one sentence. */
export class RecomputeError extends Error {
  override name = "RecomputeError";
}

/** @throws RecomputeError */
export function parseRecomputeArguments(argv: readonly string[]): { verify: boolean; dataDir: string } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { verify: { type: "boolean", default: false }, data: { type: "string", default: ".local" } },
    });
    return { verify: values.verify, dataDir: values.data };
  } catch (error) {
    throw new RecomputeError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

/** @throws RecomputeError */
export function findDatabaseUrl(env: NodeJS.ProcessEnv, dataDir: string): string {
  const file = join(dataDir, "worker.env");
  if (env["DATABASE_URL"] === undefined && !existsSync(file)) {
    throw new RecomputeError(
      `Set DATABASE_URL, or pass --data with the data directory of a running product (${dataDir} has none).`,
    );
  }
  const named = env["DATABASE_URL"] ?? parseEnv(readFileSync(file, "utf8"))["DATABASE_URL"];
  const url = z.url({ protocol: /^postgres(ql)?$/ }).safeParse(named);
  if (!url.success) throw new RecomputeError("DATABASE_URL is not the URL of a Postgres database.");
  return url.data;
}
