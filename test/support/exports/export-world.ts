import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { accounts } from "../../../src/db/schema.ts";
import type { ExportFormat } from "../../../src/domain/exports/export-job.ts";
import { submitJob, type NewJob } from "../../../src/queries/exports/export-jobs.ts";
import { aPublishedLargeTrade, passHorizon } from "../seed/large-trades.ts";
import { aMarket } from "../seed/markets.ts";
import { aSeededTrader } from "../seed/traders/traders.ts";

/** A trader's large trades in one market, and the account that submits jobs. */
export interface ExportWorld {
  readonly accountId: number;
  submitDataset(now: Date): Promise<number>;
  submitExport(format: ExportFormat, now: Date): Promise<number>;
}

const DAY = Date.parse("2026-11-20T00:00:00Z");
const FILTERS = {
  from: "2026-11-19T00:00:00.000Z",
  to: "2026-11-21T00:00:00.000Z",
  condition_id: null,
  min_size_cents: null,
};

/** Three trades share each second, so that pages end between equal times. */
export async function seedExportWorld(db: Database, trades: number): Promise<ExportWorld> {
  const [account] = await db.insert(accounts).values({ email: "owner@example.test", plan: "pro" }).returning();
  const accountId = account?.id ?? 0;
  const [market, trader] = [await aMarket(db), await aSeededTrader(db)];
  for (let n = 0; n < trades; n += 1)
    await aPublishedLargeTrade(db, {
      ...{ market, trader, price: `0.${String(100 + n)}` },
      tradedAt: new Date(DAY + Math.floor(n / 3) * 1_000),
      sizeUsdMicro: 10_000_000_000n + BigInt(n) * 1_234_567n,
    });
  await passHorizon(db);
  let submits = 0;
  const submit = async (job: Pick<NewJob, "kind" | "traderId" | "format" | "request">, now: Date) => {
    const requestKey = `submit ${(submits += 1)}`;
    const submitted = await submitJob(db, { ...job, accountId, requestKey, reusedStates: [] }, [], now);
    if (submitted.kind !== "submitted") throw new Error("the job was not submitted");
    return submitted.job.id;
  };
  return {
    accountId,
    submitDataset: (now) => submit({ kind: "whale_dataset", traderId: null, format: "ndjson", request: FILTERS }, now),
    submitExport: (format, now) => submit({ kind: "trader_export", traderId: trader.id, format, request: {} }, now),
  };
}

/**
 * Gives the sessions that open from now on a clock that stands still. A trader export states when its snapshot was
 * selected, so only with such a clock two exports have the same bytes.
 */
export async function stopDatabaseClock(db: Database, at: string): Promise<void> {
  await db.execute(
    sql.raw(`
    do $$ begin
      execute format('alter database %I set search_path to public, pg_catalog', current_database());
      execute $f$create function public.now() returns timestamptz language sql stable as 'select timestamptz ''${at}'''$f$;
    end $$`),
  );
}

/** The types of a job's events, in order. */
export async function eventsOfJob(db: Database, jobId: number): Promise<string[]> {
  const { rows } = await db.execute(
    sql`select type from events where account_id is not null and (payload ->> 'job_id')::int = ${jobId} order by id`,
  );
  return rows.map(({ type }) => String(type));
}
