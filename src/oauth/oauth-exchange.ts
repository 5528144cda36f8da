import type { Log } from "../platform/log/log.ts";
import type { Runtime } from "../runtime.ts";

/** One request to an OAuth endpoint. */
export interface OAuthExchange {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly startedAt: Date;
  /** The client's IP address. */
  readonly ip: string;
  readonly log: Log;
  readonly runtime: Runtime;
}
