import type { Log } from "../lib/log.ts";

/** One request of the website, as the app hands it over. */
export interface WebExchange {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly startedAt: Date;
  /** Who sent it, as far as the network tells. */
  readonly ip: string;
  readonly log: Log;
}
