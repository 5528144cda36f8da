import type { Config } from "./config.ts";
import type { Database } from "./db/client.ts";
import type { CredentialKind, Plan, Scope } from "./domain/accounts/accounts.ts";
import type { Clock } from "./lib/timing/clock.ts";
import type { Log } from "./platform/log/log.ts";
import type { ExportPorts } from "./platform/artifacts/export-ports.ts";
import type { Cache } from "./platform/redis/cache.ts";
import type { HolderScanner } from "./platform/objects/holder-scanner.ts";
import type { MeterVerdict } from "./platform/objects/meter.ts";
import type { WebhookPorts } from "./platform/objects/webhook-ports.ts";

/** The authenticated caller, as `src/auth` derives it from a credential. */
export interface Principal {
  readonly accountId: number;
  readonly credentialKind: CredentialKind;
  /** Of the key, or of the grant to which the token belongs. Keys and grants have different ids. */
  readonly keyId: number;
  readonly plan: Plan;
  /** The plan that decides what a response shows: free while the subscription has lapsed. */
  readonly entitledPlan: Plan;
  readonly scopes: readonly Scope[];
  /** Whether requests beyond the month's included quota are served and billed. */
  readonly payAsYouGo: boolean;
}

/** The signed-in account of a website session. */
export interface Member {
  readonly accountId: number;
  readonly plan: Plan;
}

/** The dependencies of a handler, next to its parsed input. Never Hono's context. */
export interface OperationContext {
  /**
   * The holder of the API key. Null except on operations with `access: "key"`, and where the response is
   * cached for all callers.
   */
  readonly principal: Principal | null;
  /** Null except on operations with `access: "session"`. */
  readonly member: Member | null;
  /** The verdict that admitted this request; null where `principal` is null. */
  readonly admission: MeterVerdict | null;
  readonly requestId: string;
  readonly now: Date;
  readonly config: Config;
  readonly db: Database;
  readonly cache: Cache;
  readonly webhooks: WebhookPorts;
  readonly holderScanner: HolderScanner;
  readonly exports: ExportPorts;
  readonly log: Log;
  /** Resolves after `ms` milliseconds, or when the signal aborts. */
  readonly wait: Clock["wait"];
}
