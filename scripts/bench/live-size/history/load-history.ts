import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { BackfillState, MarketWalkState, saveCheckpoint } from "../../../../src/ingest/feeds/checkpoints.ts";
import { FILLS_PER_TRANSACTION, loadArchive } from "../../../load/load-archive.ts";
import { sessionOverTcp } from "../../../services/postgres/session-over-tcp.ts";
import type { HistorySize } from "../live-size.ts";
import { copyCatalog, writeHistory } from "./copy-history.ts";
import type { MarketShapes } from "./market-shapes.ts";

/** Walks over the open markets that a loaded history has ended. */
export const LOADED_WALKS = 1;

/** Settled markets whose bets are still to be scored: the newest. A product that has run for long has scored the others. */
const UNSCORED_MARKETS = 500;

/**
 * Loads the generated history as it is in a product that has followed the provider all the time: the catalogue by COPY,
 * fills and figures through the bulk load, then traders that are followed and read, and walks that have ended.
 */
export async function loadHistory(
  databaseUrl: string,
  size: HistorySize,
  shapes: MarketShapes,
  settings: { readonly largeTradeMinUsd: number; readonly print: (line: string) => void },
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "live-history-"));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("set synchronous_commit = off");
    await copyCatalog(client, shapes, size.traders);
    settings.print(`${size.markets} markets and ${size.traders} traders are copied`);
    await writeHistory(join(directory, "fills.csv"), shapes, size);
    await loadArchive(client, {
      ...{ directory, takers: false, fillsPerTransaction: FILLS_PER_TRANSACTION, now: () => shapes.nowMs },
      largeTradeMinUsd: settings.largeTradeMinUsd,
      onProgress: (fills) => settings.print(`${fills} fills are in the ledger`),
    });
    for (const statement of FOLLOWED) await client.query(statement);
    await saveWalks(client, size, shapes.nowMs);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
    await rm(directory, { recursive: true, force: true });
  }
}

/** A number from 0 to 1 by trader, so that what is due for many is spread. */
const SPREAD = "((s.trader_id * 7919) % 997) / 997.0";

/** The rule of tiers and of resyncs is that of src/domain/traders/tracking.ts; every followed trader has been read. */
const FOLLOWED = [
  `update traders t set tier = case
     when exists (select from large_trades l where l.trader_id = t.id and l.traded_at > now() - interval '7 days') then 'hot'
     when totals.last_at > now() - interval '30 days' then 'warm' else 'cold' end
   from trader_syncs s join trader_totals totals using (trader_id) where s.trader_id = t.id`,
  `update trader_syncs s set covered_to = totals.last_at, complete_at = now() - resync * ${SPREAD},
     due_at = now() + resync * (1 - ${SPREAD}), combos_due_at = null
   from trader_totals totals, traders t,
     lateral (select case t.tier when 'hot' then interval '60 s' when 'warm' then interval '30 min' else interval '7 days' end
       as resync) r
   where totals.trader_id = s.trader_id and t.id = s.trader_id`,
  `insert into provider_figures (trader_id, due_at, measured_at)
   select s.trader_id, now() + interval '6 hours' * ${SPREAD}, now() from trader_syncs s on conflict do nothing`,
  `delete from skill_due where market_id not in (
     select market_id from skill_due join markets m on m.id = market_id order by m.resolved_at desc limit ${UNSCORED_MARKETS})`,
];

async function saveWalks(client: pg.Client, size: HistorySize, nowMs: number): Promise<void> {
  const session = sessionOverTcp(client);
  const walk = {
    cursor: null,
    closed: false,
    walks: LOADED_WALKS,
    stored: size.markets,
    startedMs: nowMs,
    listedSinceMs: nowMs,
  };
  await saveCheckpoint(session, "markets", MarketWalkState.parse(walk));
  await saveCheckpoint(
    session,
    "backfill",
    BackfillState.parse({ phase: "done", stored: size.fills, expected: null, done: true }),
  );
}
