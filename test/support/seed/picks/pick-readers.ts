import type { Database } from "../../../../src/db/client.ts";
import { jobHeartbeats } from "../../../../src/db/schema.ts";
import type { Plan } from "../../../../src/domain/accounts/accounts.ts";
import { productDayOf } from "../../../../src/domain/picks/pick-schedule.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { createTestDatabase, type TestDatabase } from "../../database/database.ts";
import { aKey } from "../../kernel/keys.ts";
import { openKernel, openTestRuntime, type KernelResponse } from "../../kernel/open-kernel.ts";

export type Reader = Plan | "lapsed";

export interface PickReaders {
  readonly db: Database;
  readonly openPool: TestDatabase["openPool"];
  /** Today's product day. */
  readonly today: string;
  /** Sends a request with the key of an account on this plan; null sends none. */
  read(path: string, reader: Reader | null, headers?: Record<string, string>): Promise<KernelResponse>;
}

export const TODAY_PATH = "/api/v1/pick-of-the-day";

/** The API over a separate database in which picks are selected, with an account on each plan. */
export async function openPickReaders(): Promise<PickReaders> {
  const { databaseUrl, db, openPool } = await createTestDatabase();
  await db.insert(jobHeartbeats).values({ job: "publish_picks", succeededAt: new Date() });
  const kernel = openKernel(openTestRuntime(databaseUrl), OPERATIONS);
  const keys: Record<Reader, string> = {
    free: await aKey(db, { plan: "free" }),
    pro: await aKey(db, { plan: "pro" }),
    max: await aKey(db, { plan: "max" }),
    lapsed: await aKey(db, { plan: "max", state: "lapsed" }),
  };
  const read: PickReaders["read"] = (path, reader, headers = {}) =>
    kernel.send(path, { key: reader === null ? null : keys[reader], headers });
  return { db, openPool, today: productDayOf(new Date()), read };
}

export const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
