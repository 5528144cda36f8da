import { consoleLog } from "../../src/platform/log/console-log.ts";
import { startProviderEndpoint, type ProviderSource } from "../provider/index.ts";

/** The message to the parent once the provider endpoint is ready. */
export interface ProviderReady {
  readonly gammaUrl: string;
  readonly dataUrl: string;
  readonly clobUrl: string;
  readonly tradesSocketUrl: string;
  readonly sportsSocketUrl: string;
  readonly expectedTrades: number | null;
  readonly description: string;
}

// In its own process, because building a page takes time that would delay the other services.
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
