import type { TokenResource } from "../domain/accounts/oauth.ts";
import type { Log } from "../platform/log/log.ts";
import type { ReadSession } from "../auth/authenticate-session.ts";
import type { Runtime } from "../runtime.ts";
import type { Caches } from "./cache/read-caches.ts";
import type { HeaderFields } from "./response/header-fields.ts";
import type { RequestTrace } from "./request-trace.ts";

/** One HTTP request while it is handled. */
export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly startedAt: Date;
  readonly runtime: Runtime;
  readonly caches: Caches;
  /** Where the credential is presented, for tokens of one resource; by default at the API. */
  readonly resource?: TokenResource;
  /** Loads the website's module at its first call. */
  readonly readSession: ReadSession;
  readonly log: Log;
  readonly trace: RequestTrace;
  /** The client's IP address, to which the per-IP budget applies. */
  readonly ip: string;
  /**
   * Response headers collected so far, for success and error alike: the budgets spent, the usage accounting.
   */
  readonly headers: HeaderFields;
  /** Keeps the request alive for work that outlasts the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}
