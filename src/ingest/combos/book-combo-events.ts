import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { comboLegs, markets } from "../../db/schema.ts";
import { alias, array, bigintText, epochMs, integer, run, selectRow, selectRows } from "../../db/sql.ts";
import { readMove, type Move, type MoveCombo, type MoveEnd } from "../../domain/combos/combo-moves.ts";
import { printedPrice } from "../../domain/trades/printed-price.ts";
import { divideRounded } from "../../scoring/divide-rounded.ts";
import { compareLedgerEntries } from "../../scoring/ledger-entry-order.ts";
import { applyEntry, EMPTY_POSITION, type PositionState } from "../../scoring/position-fold.ts";
import type { LedgerEntry } from "../ledger/ledger-entry.ts";
import { recordLedgerEntries } from "../ledger/record-ledger-entries.ts";
import { lockOutcomes } from "../ledger/row-locks.ts";
import { listMovedOutcomes, splitAndMergeLegs } from "../traders/split-merge-legs.ts";
import type { PendingEvent } from "./pending-combo-events.ts";

/**
 * Books the trader's combo events that its facts prove, oldest first, in the caller's transaction, which must hold
 * the ledger lock. Splits and merges are booked as in any other market. COMPRESS, WRAP and UNWRAP move shares with
 * their cost from one position to another: nothing is realized, because both pay the same. All other events stay
 * unbooked.
 *
 * @param pending of `listPendingEvents`; once booked they are no longer listed
 */
export async function bookComboEvents(
  session: Session,
  traderId: number,
  pending: readonly PendingEvent[],
): Promise<void> {
  await lockLegOutcomes(session, pending);
  for (const event of pending) {
    const entries =
      event.kind === "split" || event.kind === "merge"
        ? await splitEntries(session, traderId, event)
        : event.kind === "convert"
          ? []
          : await moveEntries(session, traderId, event, event.kind);
    // One event at a time: a later one may move the shares that this one gives.
    await recordLedgerEntries(session, entries);
  }
}

/** Each event locks the outcomes that it moves. The legs' outcomes, which others write, are locked in one order before. */
async function lockLegOutcomes(session: Session, pending: readonly PendingEvent[]): Promise<void> {
  const marketIds = array(
    pending.map(({ market_id }) => market_id),
    "bigint",
  );
  await run(
    session,
    lockOutcomes(sql`${o.marketId} in (
      select ${sibling.legMarketId} from ${own} join ${sibling} on ${sibling.positionId} = ${own.positionId}
      where ${own.marketId} = any(${marketIds}))`),
  );
}

async function splitEntries(session: Session, traderId: number, event: PendingEvent): Promise<LedgerEntry[]> {
  // A set of YES and NO costs and pays one dollar, so that the dollars are the shares.
  const sharesMicro = event.shares_micro ?? event.amount_micro;
  if (sharesMicro === null || sharesMicro === 0n) return [];
  const row = {
    type: event.kind === "split" ? ("SPLIT" as const) : ("MERGE" as const),
    market: { conditionId: event.condition_id },
    sharesMicro,
    txHash: event.tx,
    happenedAt: new Date(event.happened_ms),
  };
  const moves = [{ row, ordinal: event.ordinal }];
  return splitAndMergeLegs(traderId, moves, await listMovedOutcomes(session, moves)).entries;
}

interface Place {
  readonly marketId: number;
  readonly outcomeId: number;
}

async function moveEntries(
  session: Session,
  traderId: number,
  event: PendingEvent,
  kind: "compress" | "wrap" | "unwrap",
): Promise<LedgerEntry[]> {
  const move =
    event.outcome_index === null ? null : await findMove(session, traderId, event, kind, event.outcome_index);
  if (move === null) return [];
  const [from, to] = [await findPlace(session, move.from), await findPlace(session, move.to)];
  if (from === null || to === null) return [];
  const common = {
    txHash: event.tx,
    traderId,
    ordinal: event.ordinal,
    feeMicro: null,
    role: null,
    tradedAtMs: event.happened_ms,
  };
  const state = await foldUntil(session, traderId, from.outcomeId, { ...common, kind: "convert_out" });
  const sharesMicro = movedShares(event, state);
  if (sharesMicro === null) return [];
  const usdMicro = divideRounded(state.costMicro * sharesMicro, state.sharesMicro);
  const moved = { ...common, sharesMicro, usdMicro, price: printedPrice(usdMicro, sharesMicro) };
  return [
    { ...moved, ...from, kind: "convert_out" },
    { ...moved, ...to, kind: "convert_in" },
  ];
}

/**
 * The shares that an event moves; null when they are not proven. No recorded row of a move states shares, and its
 * dollars might be something else. They count as shares only where they are exactly the whole open position.
 */
function movedShares(event: PendingEvent, { sharesMicro: open }: PositionState): bigint | null {
  if (open === 0n) return null;
  const stated = event.shares_micro ?? (event.amount_micro === open ? open : null);
  return stated !== null && stated > 0n && stated <= open ? stated : null;
}

const leg = alias(comboLegs, "leg");
const sibling = alias(comboLegs, "sibling");
const own = alias(comboLegs, "own");
const lm = alias(markets, "lm");

/** The named combo and the known combos with a common leg decide the move. */
async function findMove(
  session: Session,
  traderId: number,
  event: PendingEvent,
  kind: "compress" | "wrap" | "unwrap",
  outcomeIndex: 0 | 1,
): Promise<Move | null> {
  const rows = await selectRows(
    session,
    sql`select ${m.conditionId}, ${leg.positionId}, ${leg.state}, ${epochMs(lm.resolvedAt)} as resolved_ms,
       exists (select from ${p} where ${p.traderId} = ${traderId} and ${p.marketId} = ${m.id}) as is_traded
     from (
       select distinct ${sibling.marketId} from ${own}
       join ${sibling} on ${sibling.positionId} = ${own.positionId}
       where ${own.marketId} = ${event.market_id}
     ) named
     join ${leg} on ${leg.marketId} = named.market_id
     join ${m} on ${m.id} = named.market_id
     left join ${lm} on ${lm.id} = ${leg.legMarketId}
     order by ${leg.marketId}, ${leg.legIndex}`,
    z.object({
      condition_id: z.string(),
      position_id: z.string(),
      state: z.enum(["pending", "won", "lost", "void", "unknown"]),
      resolved_ms: z.number().nullable(),
      is_traded: z.boolean(),
    }),
  );
  const known = [...Map.groupBy(rows, (row) => row.condition_id)].map(([conditionId, legs]): MoveCombo => ({
    conditionId,
    isTraded: legs.some(({ is_traded }) => is_traded),
    legs: legs.map((row) => ({ positionId: row.position_id, state: row.state, resolvedAtMs: row.resolved_ms })),
  }));
  const named = known.find(({ conditionId }) => conditionId === event.condition_id);
  const others = known.filter(({ conditionId }) => conditionId !== event.condition_id);
  return named === undefined ? null : readMove({ kind, outcomeIndex, atMs: event.happened_ms }, named, others);
}

const PlaceRow = z.object({ market_id: integer, outcome_id: integer });

/** The outcome of one end of a move; null when its market is not known with two outcomes. */
async function findPlace(session: Session, end: MoveEnd): Promise<Place | null> {
  const row =
    end.kind === "combo"
      ? await selectRow(
          session,
          sql`select ${m.id} as market_id, ${o.id} as outcome_id
           from ${m} join ${o} on ${o.marketId} = ${m.id} and ${o.outcomeIndex} = ${end.outcomeIndex}
           where ${m.conditionId} = ${end.conditionId} and ${m.hydratedAt} is not null`,
          PlaceRow,
        )
      : await selectRow(
          session,
          sql`select ${m.id} as market_id, ${o.id} as outcome_id
           from (
             select ${leg.legMarketId}, ${leg.outcomeIndex} from ${leg}
             where ${leg.positionId} = ${end.positionId}::numeric and ${leg.legMarketId} is not null limit 1
           ) leg
           join ${m} on ${m.id} = leg.leg_market_id and ${m.hydratedAt} is not null
           join ${o} on ${o.marketId} = ${m.id}
             and ${o.outcomeIndex} = case when ${end.isComplement} then 1 - leg.outcome_index else leg.outcome_index end
           where (select count(*) from ${o} where ${o.marketId} = ${m.id}) = 2`,
          PlaceRow,
        );
  return row === null ? null : { marketId: row.market_id, outcomeId: row.outcome_id };
}

/** The trader's position before an entry: the fold of all entries that come before it in the ledger's order. */
async function foldUntil(
  session: Session,
  traderId: number,
  outcomeId: number,
  next: Pick<LedgerEntry, "kind" | "txHash" | "ordinal" | "tradedAtMs">,
): Promise<PositionState> {
  const rows = await selectRows(
    session,
    sql`select ${e.kind}, '0x' || encode(${e.txHash}, 'hex') as tx, ${e.sharesMicro}, ${e.ordinal}, ${e.usdMicro},
       ${e.feeMicro}, ${epochMs(e.tradedAt)} as traded_ms
     from ${e}
     where ${e.traderId} = ${traderId} and ${e.outcomeId} = ${outcomeId}
       and ${e.tradedAt} <= to_timestamp(${next.tradedAtMs}::float8 / 1000)`,
    z.object({
      kind: z.enum(["buy", "sell", "split", "merge", "convert_in", "convert_out"]),
      tx: z.string(),
      shares_micro: bigintText,
      ordinal: z.number(),
      usd_micro: bigintText,
      fee_micro: bigintText.nullable(),
      traded_ms: z.number(),
    }),
  );
  const entries = rows.map((row) => ({
    kind: row.kind,
    txHash: row.tx,
    sharesMicro: row.shares_micro,
    ordinal: row.ordinal,
    usdMicro: row.usd_micro,
    feeMicro: row.fee_micro,
    tradedAtMs: row.traded_ms,
  }));
  // Its own entry, from an earlier booking, does not come before it; other moves of its transaction do.
  const isOwn = (entry: (typeof entries)[number]) =>
    entry.kind === next.kind && entry.txHash === next.txHash && entry.ordinal >= next.ordinal;
  return entries
    .filter((entry) => !isOwn(entry) && compareLedgerEntries(entry, { ...next, sharesMicro: MAX_SHARES }) < 0)
    .toSorted(compareLedgerEntries)
    .reduce<PositionState>((state, entry) => applyEntry(state, entry).state, EMPTY_POSITION);
}

/** Sorts after every entry of its transaction. */
const MAX_SHARES = 10n ** 18n;
