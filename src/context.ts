import type { Config } from "./config.ts";
import type { Database } from "./db/client.ts";
import type { Plan, Scope } from "./domain/accounts.ts";
import type { Log } from "./lib/log.ts";
import type { Cache } from "./ports/cache.ts";
import type { HolderScanner } from "./ports/holder-scanner.ts";
import type { MeterVerdict } from "./ports/meter.ts";
import type { WebhookPorts } from "./ports/webhook-ports.ts";

/** Who calls: decided by `src/auth` from a credential. */
export interface Principal {
  readonly accountId: number;
  readonly keyId: number;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
  /** Whether requests beyond the month's included ones are served and billed. */
  readonly payAsYouGo: boolean;
}

/** What a handler receives besides its parsed input. Never Hono's context. */
export interface OperationContext {
  /** Null on public operations, which ignore any credential, and where the answer is kept for everybody who asks the same. */
  readonly principal: Principal | null;
  /** What admitted this request; null where `principal` is. */
  readonly admission: MeterVerdict | null;
  readonly requestId: string;
  readonly now: Date;
  readonly config: Config;
  readonly db: Database;
  readonly cache: Cache;
  readonly webhooks: WebhookPorts;
  readonly holderScanner: HolderScanner;
  readonly log: Log;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}
