import { consoleLog } from "../../src/lib/console-log.ts";
import { startProviderEndpoint, type ProviderSource } from "../provider/index.ts";

/** What the parent is told once the provider endpoint answers. */
export interface ProviderReady {
  readonly gammaUrl: string;
  readonly dataUrl: string;
  readonly clobUrl: string;
  readonly tradesSocketUrl: string;
  readonly sportsSocketUrl: string;
  readonly expectedTrades: number | null;
  readonly description: string;
}

// Runs the provider endpoint in a process of its own: building a page takes time that the services beside it should not wait for.
const source: ProviderSource = JSON.parse(process.argv[2] ?? "null");
process.on("disconnect", () => process.exit(0));
const endpoint = await startProviderEndpoint({ source, log: consoleLog });
const ready: ProviderReady = {
  gammaUrl: endpoint.gammaUrl,
  dataUrl: endpoint.dataUrl,
  clobUrl: endpoint.clobUrl,
  tradesSocketUrl: endpoint.tradesSocketUrl,
  sportsSocketUrl: endpoint.sportsSocketUrl,
  expectedTrades: endpoint.expectedTrades(),
  description: endpoint.describe(),
};
process.send?.(ready);
