import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { comboLegs, combos, markets } from "../../db/schema.ts";
import { alias, array, columnName, columnNames, run, selectRows, setEach, timestamp } from "../../db/sql.ts";
import { isCombination } from "../../domain/ids.ts";
import type { ProviderCombo, ProviderComboLeg, QuarantinedRecord } from "../../platform/provider.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";

/** The market of each leg that is known, by the leg's position id. */
export type LegLinks = ReadonlyMap<string, number>;

/**
 * Writes combos with their legs, in the caller's transaction, which must hold the ledger lock. The set of legs of
 * a combo never changes, so the first one stays: a later read only updates what the provider says of each leg,
 * in any order of the legs. A read that names other legs is quarantined.
 *
 * @returns the market ids of all given combos, by condition id
 */
export async function writeCombos(
  session: Session,
  given: readonly ProviderCombo[],
  links: LegLinks,
  readAt: Date,
): Promise<ReadonlyMap<string, number>> {
  const named = mergeByCondition(given);
  if (named.length === 0) return new Map();
  const marketIds = await writeComboRows(session, named);
  const stored = await listStoredLegs(session, [...marketIds.values()]);
  const [added, updated, contradictions]: [LegRow[], LegRow[], QuarantinedRecord[]] = [[], [], []];
  for (const { conditionId, legs } of named) {
    const marketId = marketIds.get(conditionId);
    if (marketId === undefined || legs.length === 0) continue;
    const rows = legs.map((leg, legIndex) => ({ marketId, legIndex, leg }));
    const known = stored.get(marketId);
    if (known === undefined) added.push(...rows);
    else if (known.size === legs.length && legs.every(({ positionId }) => known.has(positionId))) updated.push(...rows);
    else contradictions.push({ record: { conditionId, legs }, reason: "legs: other positions than read before" });
  }
  await insertLegs(session, added, readAt);
  await updateLegs(session, updated, readAt);
  await quarantineRecords(session, "combos", contradictions);
  await linkLegs(session, [...marketIds.values()], links);
  return marketIds;
}

interface LegRow {
  readonly marketId: number;
  readonly legIndex: number;
  readonly leg: ProviderComboLeg;
}

/** One combo for each condition, with legs where any row lists them. */
function mergeByCondition(given: readonly ProviderCombo[]): readonly ProviderCombo[] {
  const merged = new Map<string, ProviderCombo>();
  for (const combo of given) {
    if (!isCombination(combo.conditionId)) continue;
    const earlier = merged.get(combo.conditionId);
    if (earlier === undefined || earlier.legs.length === 0) merged.set(combo.conditionId, combo);
  }
  return [...merged.values()];
}

/** A combo that was never traded (received from a split or a wrap) has no market row yet. */
async function writeComboRows(session: Session, named: readonly ProviderCombo[]): Promise<ReadonlyMap<string, number>> {
  const titles = recordset("t", named, {
    condition_id: ["text", ({ conditionId }) => conditionId],
    title: ["text", ({ legs }) => legs.map(({ market }) => market.title ?? "").join(" AND ") || null],
  });
  await run(
    session,
    sql`insert into ${markets} (${columnNames(markets.conditionId, markets.title)})
     select condition_id, title from ${titles} on conflict (${columnName(markets.conditionId)}) do nothing`,
  );
  const rows = await selectRows(
    session,
    sql`with named as (
       select ${m.id}, ${m.conditionId} from ${m}
       where ${m.conditionId} = any(${array(
         named.map(({ conditionId }) => conditionId),
         "text",
       )})
     ), added as (
       insert into ${combos} (${columnNames(combos.marketId, combos.statusReason)})
       select id, 'legs_not_indexed' from named on conflict (${columnName(combos.marketId)}) do nothing
     )
     select id, condition_id from named`,
    z.object({ id: z.coerce.number().int(), condition_id: z.string() }),
  );
  return new Map(rows.map((row) => [row.condition_id, row.id]));
}

async function listStoredLegs(
  session: Session,
  marketIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const rows = await selectRows(
    session,
    sql`select ${comboLegs.marketId}, ${comboLegs.positionId} from ${comboLegs}
      where ${comboLegs.marketId} = any(${array(marketIds, "bigint")})`,
    z.object({ market_id: z.coerce.number().int(), position_id: z.string() }),
  );
  return new Map(
    [...Map.groupBy(rows, (row) => row.market_id)].map(([id, legs]) => [id, new Set(legs.map((l) => l.position_id))]),
  );
}

const REPORTED = [
  comboLegs.providerConditionId,
  comboLegs.providerStatus,
  comboLegs.providerResolvedAt,
  comboLegs.providerPrice,
  comboLegs.providerMarket,
];

const legRows = (rows: readonly LegRow[]) =>
  recordset("t", rows, {
    market_id: ["bigint", ({ marketId }) => marketId],
    leg_index: ["smallint", ({ legIndex }) => legIndex],
    position_id: ["numeric", ({ leg }) => leg.positionId],
    module_id: ["smallint", ({ leg }) => leg.moduleId],
    outcome_index: ["smallint", ({ leg }) => leg.outcomeIndex],
    provider_condition_id: ["text", ({ leg }) => leg.conditionId],
    provider_status: ["text", ({ leg }) => leg.status],
    provider_resolved_at: ["timestamptz", ({ leg }) => leg.resolvedAt?.toISOString() ?? null],
    provider_price: ["numeric", ({ leg }) => leg.price],
    provider_market: ["jsonb", ({ leg }) => JSON.stringify(leg.market)],
  });

async function insertLegs(session: Session, rows: readonly LegRow[], readAt: Date): Promise<void> {
  if (rows.length === 0) return;
  const { marketId, legIndex, positionId, moduleId, outcomeIndex, state } = comboLegs;
  const columns = [marketId, legIndex, positionId, moduleId, outcomeIndex, ...REPORTED];
  await run(
    session,
    sql`insert into ${comboLegs} (${columnNames(...columns, state, comboLegs.readAt)})
     select ${columnNames(...columns)}, 'unknown', ${timestamp(readAt)} from ${legRows(rows)}`,
  );
  const counts = [...Map.groupBy(rows, (row) => row.marketId)].map(([id, legs]) => ({ id, count: legs.length }));
  const counted = recordset("t", counts, {
    market_id: ["bigint", ({ id }) => id],
    leg_count: ["smallint", ({ count }) => count],
  });
  await run(
    session,
    sql`update ${combo} set ${columnName(combos.legCount)} = t.leg_count,
       ${columnName(combos.legsKnownAt)} = ${timestamp(readAt)}
     from ${counted} where ${combo.marketId} = t.market_id`,
  );
}

const combo = alias(combos, "combo");
const leg = alias(comboLegs, "leg");

/** A read that is older than the stored one changes nothing. */
async function updateLegs(session: Session, rows: readonly LegRow[], readAt: Date): Promise<void> {
  if (rows.length === 0) return;
  await run(
    session,
    sql`update ${leg} set ${setEach(REPORTED, (column) => sql`t.${columnName(column)}`)},
       ${columnName(leg.readAt)} = ${timestamp(readAt)}
     from ${legRows(rows)}
     where ${leg.marketId} = t.market_id and ${leg.positionId} = t.position_id
       and ${leg.readAt} <= ${timestamp(readAt)}`,
  );
}

async function linkLegs(session: Session, marketIds: readonly number[], links: LegLinks): Promise<void> {
  if (links.size === 0) return;
  const linked = recordset("t", [...links], {
    position_id: ["numeric", ([positionId]) => positionId],
    leg_market_id: ["bigint", ([, id]) => id],
  });
  await run(
    session,
    sql`update ${leg} set ${columnName(leg.legMarketId)} = t.leg_market_id
     from ${linked}
     where ${leg.marketId} = any(${array(marketIds, "bigint")}) and ${leg.positionId} = t.position_id
       and ${leg.legMarketId} is null`,
  );
}
