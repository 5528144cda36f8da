import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { comboLegs, combos, markets } from "../../db/schema.ts";
import { alias, array, columnName, integer, isoText, run, selectRows } from "../../db/sql.ts";
import { comboPayoutsPpm, comboStatus, legOf, type Leg } from "../../domain/combos/combo-result.ts";
import { chunk } from "../../lib/chunk.ts";
import type { SettlementChange } from "../markets/settle-positions.ts";

const COMBOS_AT_ONCE = 2_000;

const combo = alias(combos, "combo");
const leg = alias(comboLegs, "leg");
const lm = alias(markets, "lm");

/**
 * The combos with a leg in one of these markets.
 * @returns their market ids
 */
export async function listCombosOfLegs(session: Session, legMarketIds: readonly string[]): Promise<number[]> {
  if (legMarketIds.length === 0) return [];
  const rows = await selectRows(
    session,
    sql`select distinct ${leg.marketId} from ${leg} where ${leg.legMarketId} = any(${array(legMarketIds, "bigint")})`,
    z.object({ market_id: integer }),
  );
  return rows.map((row) => row.market_id);
}

/**
 * Brings the legs' states, the statuses and the payouts of combos up to date with the results of their legs'
 * markets, in the caller's transaction, which must hold the ledger lock. Only a combo whose legs' markets are all
 * known gets payouts. It counts on the day of the leg that decided it: the first lost one, else the last one.
 *
 * @returns the combos whose payouts or day have changed, for `settlePositions`
 */
export async function settleCombos(session: Session, marketIds: readonly number[]): Promise<SettlementChange[]> {
  const changes: SettlementChange[] = [];
  for (const group of chunk([...new Set(marketIds)], COMBOS_AT_ONCE))
    changes.push(...(await settleLegs(session, await listLegs(session, group))));
  return changes;
}

const LegRow = z.object({
  market_id: integer,
  leg_index: integer,
  outcome_index: integer,
  state: z.string(),
  payout_ppm: z.number().nullable(),
  provider_status: z.string().nullable(),
  is_linked: z.boolean(),
  payouts_ppm: z.array(z.number()).nullable(),
  resolved_at: z.string().nullable(),
  settled_on: z.string().nullable(),
});

export type LegRow = z.output<typeof LegRow>;
type JudgedLeg = Leg & { readonly row: LegRow };

/** The legs of combos with the results of their markets. */
export const listLegs = (session: Session, marketIds: readonly number[]): Promise<LegRow[]> =>
  selectRows(
    session,
    sql`select ${leg.marketId}, ${leg.legIndex}, ${leg.outcomeIndex}, ${leg.state}, ${leg.payoutPpm},
       ${leg.providerStatus}, ${leg.legMarketId} is not null as is_linked, ${lm.payoutsPpm},
       ${isoText(lm.resolvedAt)} as resolved_at, ${lm.settledOn}::text as settled_on
     from ${leg} left join ${lm} on ${lm.id} = ${leg.legMarketId}
     where ${leg.marketId} = any(${array(marketIds, "bigint")})
     order by ${leg.marketId}, ${leg.legIndex}`,
    LegRow,
  );

/** `settleCombos` for legs of at most some thousand combos that have been read. One message, which others can join. */
export async function settleLegs(session: Session, rows: readonly LegRow[]): Promise<SettlementChange[]> {
  const judged = rows.map((row): JudgedLeg => ({
    row,
    ...legOf({
      market: row.is_linked ? { payoutsPpm: row.payouts_ppm } : null,
      outcomeIndex: row.outcome_index,
      providerStatus: row.provider_status,
    }),
  }));
  const byCombo = Map.groupBy(judged, ({ row }) => row.market_id);
  const changed = judged.filter(({ row, state, payoutPpm }) => row.state !== state || row.payout_ppm !== payoutPpm);
  const [, , changes] = await Promise.all([
    writeLegs(session, changed),
    writeStatuses(session, byCombo),
    writePayouts(session, byCombo),
  ]);
  return changes;
}

async function writeLegs(session: Session, changed: readonly JudgedLeg[]): Promise<void> {
  if (changed.length === 0) return;
  const judged = recordset("t", changed, {
    market_id: ["bigint", ({ row }) => row.market_id],
    leg_index: ["smallint", ({ row }) => row.leg_index],
    state: ["text", ({ state }) => state],
    payout_ppm: ["int", ({ payoutPpm }) => payoutPpm],
  });
  await run(
    session,
    sql`update ${leg} set ${columnName(leg.state)} = t.state, ${columnName(leg.payoutPpm)} = t.payout_ppm
     from ${judged} where ${leg.marketId} = t.market_id and ${leg.legIndex} = t.leg_index`,
  );
}

async function writeStatuses(session: Session, byCombo: ReadonlyMap<number, readonly JudgedLeg[]>): Promise<void> {
  if (byCombo.size === 0) return;
  const judged = recordset("t", [...byCombo], {
    market_id: ["bigint", ([marketId]) => marketId],
    status: ["text", ([, legs]) => comboStatus(legs).status],
    status_reason: ["text", ([, legs]) => comboStatus(legs).reason],
  });
  await run(
    session,
    sql`update ${combo} set ${columnName(combo.status)} = t.status, ${columnName(combo.statusReason)} = t.status_reason
     from ${judged} where ${combo.marketId} = t.market_id
       and (${combo.status}, ${combo.statusReason}) is distinct from (t.status, t.status_reason)`,
  );
}

const before = alias(markets, "before");

async function writePayouts(
  session: Session,
  byCombo: ReadonlyMap<number, readonly JudgedLeg[]>,
): Promise<SettlementChange[]> {
  const known = [...byCombo].filter(([, legs]) => legs.every(({ row }) => row.is_linked));
  if (known.length === 0) return [];
  const results = known.map(([marketId, legs]) => {
    const payouts = comboPayoutsPpm(legs);
    return { marketId, payouts, decider: payouts === null ? null : decidingLeg(legs) };
  });
  const reported = recordset("t", results, {
    market_id: ["bigint", ({ marketId }) => marketId],
    payouts: ["jsonb", ({ payouts }) => (payouts === null ? null : JSON.stringify(payouts))],
    resolved_at: ["timestamptz", ({ decider }) => decider?.resolved_at ?? null],
    settled_on: ["date", ({ decider }) => decider?.settled_on ?? null],
  });
  const rows = await selectRows(
    session,
    sql`with reported as (
       select t.market_id, t.resolved_at, t.settled_on,
         case when t.payouts is not null then array(select jsonb_array_elements_text(t.payouts)::int) end as payouts_ppm
       from ${reported}
     )
     update ${m} set ${columnName(m.payoutsPpm)} = reported.payouts_ppm,
       ${columnName(m.resolvedAt)} = reported.resolved_at, ${columnName(m.settledOn)} = reported.settled_on,
       ${columnName(m.resolutionStatus)} = case when reported.payouts_ppm is null then 'pending' else 'resolved' end,
       ${columnName(m.closed)} = reported.payouts_ppm is not null,
       ${columnName(m.closedAt)} = case when reported.payouts_ppm is not null then reported.resolved_at end
     from reported join ${before} on ${before.id} = reported.market_id
     where ${m.id} = ${before.id} and ${before.hydratedAt} is not null
       and (${before.payoutsPpm}, ${before.resolvedAt}, ${before.settledOn})
         is distinct from (reported.payouts_ppm, reported.resolved_at, reported.settled_on)
     returning ${m.id}, ${before.settledOn}::text as settled_on_before`,
    z.object({ id: z.string(), settled_on_before: z.string().nullable() }),
  );
  return rows.map((row) => ({ marketId: row.id, previousSettledOn: row.settled_on_before }));
}

/** The first lost leg, or without one the last leg to be resolved. A leg without a time counts by its day. */
function decidingLeg(legs: readonly JudgedLeg[]): Pick<LegRow, "resolved_at" | "settled_on"> | null {
  const lost = legs.filter(({ state }) => state === "lost");
  const candidates = (lost.length > 0 ? lost : legs)
    .map(({ row }) => row)
    .toSorted((a, b) => {
      const [left, right] = [a.resolved_at ?? a.settled_on ?? "", b.resolved_at ?? b.settled_on ?? ""];
      return left < right ? -1 : left > right ? 1 : a.leg_index - b.leg_index;
    });
  return (lost.length > 0 ? candidates[0] : candidates.at(-1)) ?? null;
}
