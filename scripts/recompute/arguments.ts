import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import { z } from "zod";

export const USAGE = `npm run recompute -- [--verify] [--data DIR]

Folds every wallet's recorded entries from nothing. With --verify it tells each difference to what is stored, and fails if there is one;
without, it also puts what differs right, one transaction a wallet.

It works on the database that DATABASE_URL names; without it, on the product that runs on the data directory DIR (.local).`;

/** A mistake of whoever runs the command, said in one sentence. */
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
    throw new RecomputeError(`Set DATABASE_URL, or name with --data the data directory of a product that runs (${dataDir} is none).`);
  }
  const named = env["DATABASE_URL"] ?? parseEnv(readFileSync(file, "utf8"))["DATABASE_URL"];
  const url = z.url({ protocol: /^postgres(ql)?$/ }).safeParse(named);
  if (!url.success) throw new RecomputeError("DATABASE_URL is no address of a Postgres database.");
  return url.data;
}
