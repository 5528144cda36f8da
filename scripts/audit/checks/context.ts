import type pg from "pg";
import type { Api } from "../api.ts";
import type { LedgerMirror } from "../ledger-mirror.ts";

/** The dependencies of the checks. */
export interface AuditContext {
  readonly api: Api;
  readonly world: LedgerMirror;
  /** For stored data outside the mirror: the provider's holder scans and the build times of lists. */
  readonly pool: pg.Pool;
  /** All entries, or an even sample of them when the audit is limited. */
  sample<T>(all: readonly T[]): readonly T[];
}

export const marketPath = (conditionId: string, rest: string): string => `/api/v1/market/${conditionId}/${rest}`;

/** A timestamp in the format of the API. */
export const isoAt = (ms: number): string => new Date(ms).toISOString();

export const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
