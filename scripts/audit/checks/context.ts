import type pg from "pg";
import type { Api } from "../api.ts";
import type { World } from "../world.ts";

/** What checks work with. */
export interface AuditContext {
  readonly api: Api;
  readonly world: World;
  /** For stored reads that are no part of the mirror: what the provider told of holders, and when lists were built. */
  readonly pool: pg.Pool;
  /** All, or an even choice of them where the audit is to be short. */
  sample<T>(all: readonly T[]): readonly T[];
}

export const marketPath = (conditionId: string, rest: string): string => `/api/v1/market/${conditionId}/${rest}`;

/** A timestamp as answers have it. */
export const isoAt = (ms: number): string => new Date(ms).toISOString();

export const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
