import type { Log } from "../lib/log.ts";
import type { Mail } from "../ports/mail.ts";
import type { Runtime } from "../runtime.ts";
import type { Auth } from "./open-auth.ts";

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

/** One request of the sign-in, with what answers it. */
export interface SignInRequest {
  readonly exchange: WebExchange;
  readonly runtime: Runtime;
  readonly auth: Auth;
  /** Null when no mail can be sent. */
  readonly mail: Mail | null;
}
