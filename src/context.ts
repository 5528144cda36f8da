import type { Config } from "./config.ts";
import type { Database } from "./db/client.ts";
import type { Plan } from "./domain/accounts/accounts.ts";
import type { Principal } from "./domain/accounts/principal.ts";
import type { Clock } from "./lib/timing/clock.ts";
import type { Log } from "./platform/log/log.ts";
import type { ExportPorts } from "./platform/artifacts/export-ports.ts";
import type { Cache } from "./platform/redis/cache.ts";
import type { HolderScanner } from "./platform/objects/holder-scanner.ts";
import type { Meter, MeterVerdict } from "./platform/objects/meter.ts";
import type { WebhookPorts } from "./platform/objects/webhook-ports.ts";

export type { Principal };

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
  /** The authority on the account's credentials: revocations and changes go to it first. */
  readonly meter: Pick<Meter, "refuse" | "forget">;
  readonly webhooks: WebhookPorts;
  readonly holderScanner: HolderScanner;
  readonly exports: ExportPorts;
  readonly log: Log;
  /** Resolves after `ms` milliseconds, or when the signal aborts. */
  readonly wait: Clock["wait"];
}
