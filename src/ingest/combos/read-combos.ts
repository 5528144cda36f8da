import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { s, t } from "../../db/aliases.ts";
import { atCommit, inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { columnName, epochMs, integer, run, selectRow, timestamp } from "../../db/sql.ts";
import {
  ProviderRefused,
  type Provider,
  type ProviderCombo,
  type ProviderComboEvent,
  type ProviderPage,
} from "../../platform/provider.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { lockLedger } from "../ledger/record-ledger-entries.ts";
import { recordResultsVersion } from "../markets/results/record-results-version.ts";
import { settlePositions } from "../markets/settle-positions.ts";
import { describeCombos, listDescribable } from "./describe-combos.ts";
import { finishRead, finishReadWithoutEvents, postponeUnknown } from "./finish-read.ts";
import { findLegLinks } from "./link-legs.ts";
import { recordComboEvents } from "./record-combo-events.ts";
import { listLegs, settleLegs } from "./settle-combos.ts";
import { writeCombos, type LegLinks } from "./write-combos.ts";
import { HOUR_MS } from "../../scoring/utc-calendar.ts";

/** Pages of each list that one message may read. The next message continues a longer activity. */
const PAGES_PER_READ = 20;
/** A later read walks back this much before the last one, because rows arrive late. */
const OVERLAP_MS = HOUR_MS;
/** A trader whose read failed yields to others for this long. Meanwhile the queue retries the message. */
const FAILED_WAIT_MS = 900_000;

type ComboProvider = Pick<Provider, "listComboPositions" | "listComboActivity" | "findLegMarkets">;

const ReadRow = z.object({
  trader_id: integer,
  /** Followed, with its activity read to the end: only then its events can be booked. */
  is_synced: z.boolean(),
  cursor: z.string().nullable(),
  read_ms: z.number().nullable(),
});

type ReadRow = z.output<typeof ReadRow>;

/**
 * Reads a trader's combo positions for their legs and its combo activity for lifecycle events, one transaction a
 * page. Combos whose legs' markets are all known become known. The events of a followed
 * trader are then booked, and its gap closes when nothing is left open. Killed at any point, the next read ends in the same state.
 *
 * @returns false when the trader is unknown
 */
export async function readCombos(
  pool: Pool,
  provider: ComboProvider,
  address: string,
  now: () => Date,
): Promise<boolean> {
  const read = await selectRow(
    sessionOf(pool),
    sql`select ${t.id} as trader_id, ${s.completeAt} is not null as is_synced, ${s.combosCursor} as cursor,
       ${epochMs(s.combosReadAt)} as read_ms
     from ${t} left join ${s} on ${s.traderId} = ${t.id} where ${t.address} = ${address}`,
    ReadRow,
  );
  if (read === null) return false;
  try {
    await readPositions(pool, provider, address, now);
    const isEnd = await readActivity(pool, provider, address, read, now);
    await postponeUnknown(pool, read.trader_id, now());
    if (isEnd && read.is_synced) await finish(pool, read.trader_id, now());
  } catch (error) {
    await postpone(pool, read, error, now());
    throw error;
  }
  return true;
}

async function finish(pool: Pool, traderId: number, now: Date): Promise<void> {
  if (await finishReadWithoutEvents(pool, traderId, now)) return;
  await inTransaction(pool, async (session) => {
    await Promise.all([lockLedger(session), finishRead(session, traderId, now)]);
  });
}

async function readPositions(pool: Pool, provider: ComboProvider, address: string, now: () => Date): Promise<void> {
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_PER_READ; pages++) {
    const page = await provider.listComboPositions(address, cursor);
    const combos = page.rows.map(({ combo }) => combo);
    const links = await findLegLinks(pool, provider, combos, now);
    if (page.rows.length > 0 || page.quarantined.length > 0)
      await inTransaction(pool, async (session) => {
        await Promise.all([
          lockLedger(session),
          quarantineRecords(session, "combo_positions", page.quarantined),
          applyCombos(session, combos, links, now()),
        ]);
      });
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** @returns whether the activity was read to its end, or back to what an earlier read has */
async function readActivity(
  pool: Pool,
  provider: ComboProvider,
  address: string,
  read: ReadRow,
  now: () => Date,
): Promise<boolean> {
  let { cursor } = read;
  for (let pages = 0; pages < PAGES_PER_READ; pages++) {
    const page = await provider.listComboActivity(address, cursor);
    const isEmpty = page.rows.length === 0 && page.quarantined.length === 0;
    if (isEmpty && cursor === null && page.nextCursor === null) return true;
    const combos = page.rows.map(({ combo }) => combo);
    const links = await findLegLinks(pool, provider, combos, now);
    const next = isRead(page, read.read_ms) ? null : page.nextCursor;
    await inTransaction(pool, async (session) => {
      const [, , marketIds] = await Promise.all([
        lockLedger(session),
        quarantineRecords(session, "combo_activity", page.quarantined),
        applyCombos(session, combos, links, now()),
      ]);
      await atCommit(session, (last) =>
        Promise.all([
          recordComboEvents(last, read.trader_id, page.rows, marketIds),
          page.quarantined.length > 0 && keepUnreadable(last, read),
          saveCursor(last, read, next),
        ]),
      );
    });
    if (next === null) return true;
    cursor = next;
  }
  await makeDueNow(pool, read);
  return false;
}

/**
 * Writes combos, makes known what can be known, and settles them: three messages, and a fourth if a result has changed. The first
 * one can be joined.
 *
 * @returns the market ids of the combos, by condition id
 */
async function applyCombos(
  session: Session,
  combos: readonly ProviderCombo[],
  links: LegLinks,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const { marketIds, writeLegs } = await writeCombos(session, combos, links, now);
  if (marketIds.size === 0) return marketIds;
  const ids = [...marketIds.values()];
  const [, describable, legs] = await Promise.all([writeLegs(), listDescribable(session, ids), listLegs(session, ids)]);
  const [, changes] = await Promise.all([describeCombos(session, describable, now), settleLegs(session, legs)]);
  if (changes.length > 0)
    await atCommit(session, (last) => Promise.all([settlePositions(last, changes), recordResultsVersion(last)]));
  return marketIds;
}

/** The page goes back beyond the last complete read. The provider lists the newest blocks first. */
function isRead({ rows }: ProviderPage<ProviderComboEvent>, readMs: number | null): boolean {
  const [first, last] = [rows[0], rows.at(-1)];
  if (readMs === null || first === undefined || last === undefined) return false;
  const isNewestFirst = first.blockNumber > last.blockNumber;
  return isNewestFirst && last.happenedAt.getTime() < readMs - OVERLAP_MS;
}

async function saveCursor(session: Session, read: ReadRow, cursor: string | null): Promise<void> {
  if (!read.is_synced) return;
  await run(
    session,
    sql`update ${s} set ${columnName(s.combosCursor)} = ${cursor}::text where ${s.traderId} = ${read.trader_id}`,
  );
}

/** An event that could not be parsed may have moved shares: positions and profit are unknown. */
async function keepUnreadable(session: Session, read: ReadRow): Promise<void> {
  await run(
    session,
    sql`update ${s} set ${columnName(s.gaps)} = array(select distinct unnest(${s.gaps} || 'unreadable'::text) order by 1)
      where ${s.traderId} = ${read.trader_id}`,
  );
}

const makeDueNow = (pool: Pool, read: ReadRow): Promise<number> =>
  run(
    sessionOf(pool),
    sql`update ${s} set ${columnName(s.combosDueAt)} = now() where ${s.traderId} = ${read.trader_id}`,
  );

/** A cursor that the provider no longer accepts is dropped: the next read starts from the newest event. */
const postpone = (pool: Pool, read: ReadRow, error: unknown, now: Date): Promise<number> =>
  run(
    sessionOf(pool),
    sql`update ${s} set ${columnName(s.combosDueAt)} = ${timestamp(new Date(now.getTime() + FAILED_WAIT_MS))},
       ${columnName(s.combosAttempts)} = least(${s.combosAttempts} + 1, 100),
       ${columnName(s.combosCursor)} = case when ${error instanceof ProviderRefused} then null
         else ${s.combosCursor} end
     where ${s.traderId} = ${read.trader_id}`,
  );
