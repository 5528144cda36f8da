import type { RequestTrace } from "../api/request-trace.ts";
import type { Log } from "../platform/log/log.ts";
import type { Mail } from "../platform/mail/mail.ts";
import type { Runtime } from "../runtime.ts";
import type { Auth } from "./sign-in/open-auth.ts";

/** One request to the website's routes, as the app passes it on. */
export interface WebExchange {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly startedAt: Date;
  /** The client's IP address. */
  readonly ip: string;
  readonly log: Log;
  readonly trace: RequestTrace;
}

/** One sign-in request with its dependencies. */
export interface SignInRequest {
  readonly exchange: WebExchange;
  readonly runtime: Runtime;
  readonly auth: Auth;
  /** Null when no mail can be sent. */
  readonly mail: Mail | null;
}
