import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { eventDataOf } from "../../../src/domain/event-body.ts";
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from "../../../src/domain/event-catalogue.ts";
import { publish } from "../../../src/ingest/outbox.ts";
import { buildLargePositions } from "../../../src/ingest/read-models/large-positions.ts";
import { buildFlows } from "../../../src/ingest/signals/build-flows.ts";
import { judgeTrades } from "../../../src/ingest/signals/judge-trades.ts";
import { EVENT_DATA } from "../../../src/messages/event-data.ts";
import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";
import { departures } from "../../contract/contract.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { anActivityProvider, follow, sync } from "../../support/ingest/followed-wallet.ts";
import { joinIngest } from "../../support/ingest/ingest-under-test.ts";
import { Killed, MortalProcess } from "../../support/ingest/mortal-process.ts";
import { aSkilledWallet, runJobs } from "../../support/ingest/skill.ts";
import { aTrade, anActivity, asActivity, pageOf, walletOf } from "../../support/ingest/trades.ts";
import { aTakenTrade } from "../../support/seed/fills.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aPosition } from "../../support/seed/positions.ts";
import { aWallet } from "../../support/seed/wallets.ts";

/** What makes an event happen. */
interface Cause {
  /** What has to be there before; it may make events of its own. */
  readonly given?: () => Promise<unknown>;
  /** What is done; done again it is a repeat. */
  readonly happen: () => Promise<unknown>;
}

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
    sql`select id::text as id, epoch, payload, large_trade_id::int as trade, account_id from events where type = ${type} order by id`,
  );
  return rows.map(
    (row) =>
      ({ ...row, payload: row["payload"] as Record<string, unknown> }) as {
        id: string;
        epoch: number;
        trade: number | null;
        account_id: null;
        payload: Record<string, unknown>;
      },
  );
}

const aLargePage = () => pageOf([aTrade({ sharesMicro: 20_000_000_000n })]);
const recordLarge = () => joinIngest(pool).apply("takers", aLargePage());

/** One bet of a hundred dollars at even odds in each of so many clusters, of which so many won. */
const evenBets = (clusters: number, won: number): SettledBet[] =>
  Array.from({ length: clusters }, (_, n) => ({ cluster: `c${n}`, price: 0.5, usd: 100, payout: n < won ? 1 : 0 }));

const AT = "2026-11-20T12:00:00Z";
const JUDGED = new Date("2026-11-20T12:01:00Z");

/** A wallet's first trade, of fifty thousand dollars, with all of its history and the feed read beyond it. */
async function aTradeOutOfNowhere(): Promise<void> {
  await db.execute(sql`insert into ingest_checkpoints (feed, state) values ('trades:takers', ${{ watermarkMs: Date.parse(AT) }}::jsonb)`);
  const readTo = new Date("2026-11-20T12:00:30Z").toISOString();
  const [early, wallet] = [await aWallet(db), await aWallet(db, { completeAt: JUDGED })];
  await aTakenTrade(db, { wallet: early, market: await aMarket(db), at: "2026-10-01T00:00:00Z", judgedAt: JUDGED });
  await db.execute(sql`update wallet_syncs set covered_to = ${readTo}::timestamptz`);
  const market = await aMarket(db, { hydratedAt: JUDGED, providerCreatedAt: new Date("2026-11-01T00:00:00Z") });
  await aTakenTrade(db, { wallet, market, shares: 100_000, at: AT });
}

/** The events that happen in the product as it is. */
const CAUSES: Readonly<Partial<Record<EventType, () => Cause>>> = {
  large_trade_inserted_v2: () => ({ happen: recordLarge }),
  large_trades_inserted: () => ({ happen: recordLarge }),
  trader_synced: () => ({
    given: () => follow(pool, 1),
    happen: () => sync(pool, anActivityProvider(1, [pageOf([asActivity(aTrade())])]), 1, new Date()),
  }),
  large_positions_updated: () => ({
    given: async () => {
      await inTransaction(pool, buildLargePositions);
      const [wallet, market] = [await aWallet(db, { grade: "A", completeAt: new Date(), totals: {} }), await aMarket(db)];
      await db.execute(sql`update outcomes set last_trade_price = 0.5, valued_price = 0.5`);
      await aPosition(db, { wallet, market, outcome: 0, sharesMicro: 200_000_000_000n, costMicro: 0n, valueMicro: 100_000_000_000n });
    },
    happen: () => inTransaction(pool, buildLargePositions),
  }),
  wallet_grade_changed: () => ({
    given: async () => {
      for (let n = 0; n < 120; n++) await aSkilledWallet(pool, walletOf(1_000 + n), evenBets(30, 9 + ((n * 7) % 13)));
      await aSkilledWallet(pool, walletOf(1), evenBets(60, 45));
      await runJobs(pool, "population", "grades");
      await aSkilledWallet(pool, walletOf(1), evenBets(80, 30));
    },
    happen: () => runJobs(pool, "grades"),
  }),
  suspicious_trade_flagged: () => ({
    given: aTradeOutOfNowhere,
    happen: async () => {
      while (await judgeTrades(pool, 5_000, JUDGED));
    },
  }),
  sharp_money_flow_detected: () => ({
    given: async () => {
      await inTransaction(pool, (session) => buildFlows(session, "1h"));
      const [wallet, market] = [await aWallet(db, { grade: "A" }), await aMarket(db)];
      await aTakenTrade(db, { wallet, market, shares: 25_000, price: "1", at: new Date(Date.now() - 10).toISOString() });
    },
    happen: () => inTransaction(pool, (session) => buildFlows(session, "1h")),
  }),
};

const LIVE = EVENT_TYPES.filter((type) => EVENT_CATALOGUE[type].isLive);

test("every event that is called live has its cause here, and no other", () => {
  expect(Object.keys(CAUSES).toSorted()).toEqual(LIVE.toSorted());
});

describe.each(LIVE)("%s", (type) => {
  test("comes once with its cause and not with a repeat, and fits the contract", { timeout: 60_000 }, async () => {
    const cause = CAUSES[type]?.();
    await cause?.given?.();
    expect(await eventsOf(type)).toEqual([]);
    await cause?.happen();
    const told = await eventsOf(type);
    expect(told).toHaveLength(1);
    await cause?.happen();
    expect(await eventsOf(type)).toEqual(told);
    const [event] = told;
    if (event === undefined) return;
    const data = eventDataOf({ epoch: event.epoch, id: event.id, type, payload: event.payload, createdAt: "2026-11-20T12:00:00.000Z" });
    expect(departures(EVENT_CATALOGUE[type].payload, data)).toEqual([]);
    expect(EVENT_DATA[type].parse(data)).toEqual(data);
    expect([event.trade, event.account_id]).toEqual([type === "large_trade_inserted_v2" ? event.payload["whale_alert_id"] : null, null]);
  });
});

test("a payload that is not what readers are promised is refused with the transaction that it is of", async () => {
  const large = { type: "large_positions_updated" as const, payload: { count: 3 } };
  const attempt = (payload: { count: number }) =>
    inTransaction(pool, (session) => publish(session, [large, { type: "large_trades_inserted", payload }]));
  for (const count of [0, -1, 1.5, Number.NaN]) await expect(attempt({ count })).rejects.toThrow(z.ZodError);
  expect(await eventsOf("large_positions_updated")).toEqual([]);
  await attempt({ count: 1 });
  expect((await eventsOf("large_positions_updated")).map(({ payload }) => payload)).toEqual([{ count: 3 }]);
});

describe("trader_synced", () => {
  const split = (n: number) => anActivity("SPLIT", { n, wallet: 1, market: null, atSeconds: 1_760_000_000 + n });
  const pages = Array.from({ length: 25 }, (_, n) => pageOf([{ ...split(n + 1), type: "MAKER_REBATE" as const }]));

  test("waits for the end of a history that takes more than one message", async () => {
    await follow(pool, 1);
    const provider = anActivityProvider(1, pages);
    await sync(pool, provider, 1, new Date());
    expect(await eventsOf("trader_synced")).toEqual([]);
    await sync(pool, provider, 1, new Date());
    const { rows } = await pool.query<{ id: number }>("select id::int as id from traders where address = $1", [walletOf(1)]);
    expect((await eventsOf("trader_synced")).map(({ payload }) => payload)).toEqual([{ trader_id: rows[0]?.id, wallet: walletOf(1) }]);
  });

  test("comes once, at whatever step the process that reads the history dies", async () => {
    const provider = anActivityProvider(1, pages.slice(0, 3));
    for (let dieAfter = 1, died = true; died; dieAfter++) {
      await pool.query("delete from events; delete from wallet_activity; delete from wallet_syncs; delete from traders");
      await follow(pool, 1);
      const life = new MortalProcess(dieAfter);
      died = await sync(life.pool(pool), life.provider(provider), 1, new Date()).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return true;
        },
      );
      await sync(pool, provider, 1, new Date());
      expect({ dieAfter, told: (await eventsOf("trader_synced")).length }).toEqual({ dieAfter, told: 1 });
    }
  });

  test("does not come for a wallet that nobody follows", async () => {
    expect(await sync(pool, anActivityProvider(1, pages.slice(0, 1)), 1, new Date())).toBe(false);
    expect(await eventsOf("trader_synced")).toEqual([]);
  });
});
