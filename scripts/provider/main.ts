import { parseArgs } from "node:util";
import { z } from "zod";
import { startProviderEndpoint } from "./index.ts";

/**
 * Serves the provider's surface until the process ends, and prints its addresses as one line of JSON.
 *
 *   node scripts/provider/main.ts --source replay --dir DIR [--speed max|N] [--port P]
 *   node scripts/provider/main.ts --source simulate [--seed N] [--port P]
 */
const Arguments = z.discriminatedUnion("source", [
  z.object({
    source: z.literal("replay"),
    dir: z.string(),
    speed: z.union([z.literal("max"), z.coerce.number().positive()]).default("max"),
    port: z.coerce.number().int().min(0).max(65_535).default(0),
  }),
  z.object({
    source: z.literal("simulate"),
    seed: z.coerce.number().int().default(1),
    port: z.coerce.number().int().min(0).max(65_535).default(0),
  }),
]);

const { values } = parseArgs({
  options: {
    source: { type: "string" },
    dir: { type: "string" },
    speed: { type: "string" },
    seed: { type: "string" },
    port: { type: "string" },
  },
});
const chosen = Arguments.parse(values);
const log = {
  error: (message: string, fields?: Record<string, unknown>) => console.error(JSON.stringify({ message, ...fields })),
};
const source =
  chosen.source === "replay"
    ? { kind: chosen.source, dir: chosen.dir, speed: chosen.speed }
    : { kind: chosen.source, seed: chosen.seed };
const endpoint = await startProviderEndpoint({ port: chosen.port, source, log });
const { gammaUrl, dataUrl, clobUrl, tradesSocketUrl, sportsSocketUrl } = endpoint;
console.log(
  JSON.stringify({ gammaUrl, dataUrl, clobUrl, tradesSocketUrl, sportsSocketUrl, describe: endpoint.describe() }),
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void endpoint.stop());
