import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { eventDataOf } from "../../../../src/events/event-body.ts";
import {
  dataSchemaNameOf,
  dataSchemaOf,
  EVENT_CATALOGUE,
  EVENT_TYPES,
  type EventType,
} from "../../../../src/events/registry.ts";
import { publishEvents } from "../../../../src/events/outbox/publish-events.ts";
import { buildLargePositions } from "../../../../src/ingest/read-models/build-large-positions.ts";
import { buildFlows } from "../../../../src/ingest/signals/build-flows.ts";
import { judgeTrades } from "../../../../src/ingest/signals/judge-trades.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { departures } from "../../../contract/contract.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import {
  anActivityProvider,
  followTrader,
  syncFollowedTrader,
} from "../../../support/ingest/worlds/followed-trader.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { aSettledBet } from "../../../support/a-settled-bet.ts";
import { aSkilledTrader, runJobs } from "../../../support/ingest/worlds/skill-jobs.ts";
import { aTrade, anActivity, asActivity, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { endJob } from "../../../../src/exports/jobs/end-job.ts";
import type { JobState, TerminalState } from "../../../../src/domain/exports/export-job.ts";
import { anExportJob } from "../../../support/seed/exports.ts";
import { aTakerTrade } from "../../../support/seed/fills.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { applyGameEvents } from "../../../../src/ingest/games/apply-game-events.ts";
import { applyScoreFrames } from "../../../../src/ingest/games/apply-score-frames.ts";
import { aGameEvent, aScoreFrame } from "../../../support/ingest/provider/provider-games.ts";

/** The action that produces an event. */
interface Cause {
  /** Creates the required state first; it may publish events of its own. */
  readonly given?: () => Promise<unknown>;
  /** The action; running it a second time is a repeat. */
  readonly happen: () => Promise<unknown>;
}

/** Events that state a moment of the product: a restored database never states the same one again. */
const OF_A_MOMENT: readonly EventType[] = ["large_trades_inserted", "large_positions_updated", "live_sports_updated"];

let database: TestDatabase;
let db: Database;
let pool: Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  pool = database.openPool();
});

async function eventsOf(type: EventType) {
  const { rows } = await db.execute(
    sql`select id::text as id, epoch, identity, payload, large_trade_id::int as trade, account_id from events where type = ${type} order by id`,
  );
  return rows.map(
    (row) =>
      ({ ...row, payload: row["payload"] as Record<string, unknown> }) as {
        id: string;
        epoch: number;
        identity: string | null;
        trade: number | null;
        account_id: string | null;
        payload: Record<string, unknown>;
      },
  );
}

const aLargePage = () => pageOf([aTrade({ sharesMicro: 20_000_000_000n })]);
const recordLarge = () => joinIngest(pool).apply("takers", aLargePage());

/** One bet of a hundred dollars at even odds in each cluster; the first `won` clusters are won. */
const evenBets = (clusters: number, won: number): SettledBet[] =>
  Array.from({ length: clusters }, (_, n) =>
    aSettledBet({ cluster: `c${n}`, price: 0.5, usd: 100, payout: n < won ? 1 : 0 }),
  );

const AT = "2026-11-20T12:00:00Z";
const JUDGED = new Date("2026-11-20T12:01:00Z");

/**
 * A trader's first trade, of fifty thousand dollars, with a complete history and with the feed read past the
 * trade.
 */
async function aFirstTrade(): Promise<void> {
  await db.execute(
    sql`insert into ingest_checkpoints (feed, state) values ('trades:takers', ${{ watermarkMs: Date.parse(AT) }}::jsonb)`,
  );
  const readTo = new Date("2026-11-20T12:00:30Z").toISOString();
  const [early, wallet] = [await aSeededTrader(db), await aSeededTrader(db, { completeAt: JUDGED })];
  await aTakerTrade(db, { trader: early, market: await aMarket(db), at: "2026-10-01T00:00:00Z", judgedAt: JUDGED });
  await db.execute(sql`update trader_syncs set covered_to = ${readTo}::timestamptz`);
  const market = await aMarket(db, { hydratedAt: JUDGED, providerCreatedAt: new Date("2026-11-01T00:00:00Z") });
  await aTakerTrade(db, { trader: wallet, market, shares: 100_000, at: AT });
}

/** The actions of all live events. */
const CAUSES: Readonly<Partial<Record<EventType, () => Cause>>> = {
  large_trade_inserted_v2: () => ({ happen: recordLarge }),
  large_trades_inserted: () => ({ happen: recordLarge }),
  live_sports_updated: () => {
    const readAt = new Date(AT);
    const events = { rows: [aGameEvent()], quarantined: [] };
    const frames = [{ frame: aScoreFrame(1, { score: "2-0" }), receivedAt: readAt }];
    return {
      given: () => inTransaction(pool, (session) => applyGameEvents(session, events, readAt)),
      happen: () => inTransaction(pool, (session) => applyScoreFrames(session, frames, JUDGED)),
    };
  },
  trader_synced: () => ({
    given: () => followTrader(pool, 1),
    happen: () => syncFollowedTrader(pool, anActivityProvider(1, [pageOf([asActivity(aTrade())])]), 1, new Date()),
  }),
  large_positions_updated: () => ({
    given: async () => {
      await inTransaction(pool, buildLargePositions);
      const [wallet, market] = [
        await aSeededTrader(db, { grade: "A", completeAt: new Date(), totals: {} }),
        await aMarket(db),
      ];
      await db.execute(sql`update outcomes set last_trade_price = 0.5, valued_price = 0.5`);
      await aPosition(db, {
        trader: wallet,
        market,
        outcome: 0,
        sharesMicro: 200_000_000_000n,
        costMicro: 0n,
        valueMicro: 100_000_000_000n,
      });
    },
    happen: () => inTransaction(pool, buildLargePositions),
  }),
  wallet_grade_changed: () => ({
    given: async () => {
      for (let n = 0; n < 120; n++) await aSkilledTrader(pool, walletOf(1_000 + n), evenBets(30, 9 + ((n * 7) % 13)));
      await aSkilledTrader(pool, walletOf(1), evenBets(60, 45));
      await runJobs(pool, "estimate_population", "grade_traders");
      await aSkilledTrader(pool, walletOf(1), evenBets(80, 30));
    },
    happen: () => runJobs(pool, "grade_traders"),
  }),
  suspicious_trade_flagged: () => ({
    given: aFirstTrade,
    happen: async () => {
      while (await judgeTrades(pool, 5_000, JUDGED));
    },
  }),
  sharp_money_flow_detected: () => ({
    given: async () => {
      await inTransaction(pool, (session) => buildFlows(session, "1h"));
      const [wallet, market] = [await aSeededTrader(db, { grade: "A" }), await aMarket(db)];
      await aTakerTrade(db, {
        trader: wallet,
        market,
        shares: 25_000,
        price: "1",
        at: new Date(Date.now() - 10).toISOString(),
      });
    },
    happen: () => inTransaction(pool, (session) => buildFlows(session, "1h")),
  }),
  export_job_ready: jobEnds("running", "ready"),
  export_job_failed: jobEnds("queued", "failed"),
  export_job_expired: jobEnds("ready", "expired"),
  export_job_cancelled: jobEnds("cancel_requested", "cancelled"),
};

/** A job that reaches a terminal state from this one. */
function jobEnds(from: JobState, state: TerminalState): () => Cause {
  return () => {
    let jobId = 0;
    return {
      given: async () => {
        ({ id: jobId } = await anExportJob(db, { state: from }));
      },
      happen: () =>
        endJob(db, { jobId, token: null, state, now: JUDGED, ...(state === "failed" ? { error: "No." } : {}) }),
    };
  };
}

const LIVE = EVENT_TYPES.filter((type) => EVENT_CATALOGUE[type].isLive);

test("every live event type has an action here, and no other type has one", () => {
  expect(Object.keys(CAUSES).toSorted()).toEqual(LIVE.toSorted());
});

describe.each(LIVE)("%s", (type) => {
  test(
    `${type} is published once for its action and not for a repeat, and matches the contract`,
    { timeout: 240_000 },
    async () => {
      const cause = CAUSES[type]?.();
      await cause?.given?.();
      expect(await eventsOf(type)).toEqual([]);
      await cause?.happen();
      const published = await eventsOf(type);
      expect(published).toHaveLength(1);
      await cause?.happen();
      expect(await eventsOf(type)).toEqual(published);
      const [event] = published;
      if (event === undefined) return;
      const data = eventDataOf({
        epoch: event.epoch,
        id: event.id,
        identity: event.identity,
        type,
        payload: event.payload,
        createdAt: "2026-11-20T12:00:00.000Z",
      });
      expect(departures(dataSchemaNameOf(type), data)).toEqual([]);
      expect(dataSchemaOf(type).parse(data)).toEqual(data);
      expect([event.trade, event.account_id !== null, event.identity !== null]).toEqual([
        type === "large_trade_inserted_v2" ? event.payload["whale_alert_id"] : null,
        EVENT_CATALOGUE[type].access === "owner",
        !OF_A_MOMENT.includes(type),
      ]);
    },
  );
});

test("an event payload that does not match its schema is refused and rolls back its transaction", async () => {
  const large = { type: "large_positions_updated" as const, payload: { count: 3 } };
  const attempt = (payload: { count: number }) =>
    inTransaction(pool, (session) => publishEvents(session, [large, { type: "large_trades_inserted", payload }]));
  for (const count of [0, -1, 1.5, Number.NaN]) await expect(attempt({ count })).rejects.toThrow(z.ZodError);
  expect(await eventsOf("large_positions_updated")).toEqual([]);
  await attempt({ count: 1 });
  expect((await eventsOf("large_positions_updated")).map(({ payload }) => payload)).toEqual([{ count: 3 }]);
});

describe("the trader_synced event", () => {
  const split = (n: number) => anActivity("SPLIT", { n, wallet: 1, market: null, atSeconds: 1_760_000_000 + n });
  const pages = Array.from({ length: 25 }, (_, n) => pageOf([{ ...split(n + 1), type: "MAKER_REBATE" as const }]));

  test("trader_synced is published at the end of a history that takes more than one message", async () => {
    await followTrader(pool, 1);
    const provider = anActivityProvider(1, pages);
    await syncFollowedTrader(pool, provider, 1, new Date());
    expect(await eventsOf("trader_synced")).toEqual([]);
    await syncFollowedTrader(pool, provider, 1, new Date());
    const { rows } = await pool.query<{ id: number }>("select id::int as id from traders where address = $1", [
      walletOf(1),
    ]);
    expect((await eventsOf("trader_synced")).map(({ payload }) => payload)).toEqual([
      { trader_id: rows[0]?.id, wallet: walletOf(1) },
    ]);
  });

  test("trader_synced is published once, whatever step kills the process that reads the history", async () => {
    const provider = anActivityProvider(1, pages.slice(0, 3));
    for (let dieAfter = 1, died = true; died; dieAfter++) {
      await pool.query(
        "delete from events; delete from trader_activity; delete from trader_syncs; delete from traders",
      );
      await followTrader(pool, 1);
      const life = new KillableProcess(dieAfter);
      died = await syncFollowedTrader(life.pool(pool), life.provider(provider), 1, new Date()).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof ProcessKilled)) throw error;
          return true;
        },
      );
      await syncFollowedTrader(pool, provider, 1, new Date());
      expect({ dieAfter, published: (await eventsOf("trader_synced")).length }).toEqual({ dieAfter, published: 1 });
    }
  });

  test("trader_synced is not published for a trader that is not followed", async () => {
    await syncFollowedTrader(pool, anActivityProvider(1, pages.slice(0, 1)), 1, new Date());
    expect(await eventsOf("trader_synced")).toEqual([]);
  });
});
