import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { comboLegs, combos, markets } from "../../db/schema.ts";
import { alias, array, columnName, columnNames, integer, run, selectRows, setEach, timestamp } from "../../db/sql.ts";
import { isCombination } from "../../domain/ids.ts";
import type { ProviderCombo, ProviderComboLeg, QuarantinedRecord } from "../../platform/provider.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";

const stored = alias(comboLegs, "stored");

/** The market of each leg that is known, by the leg's position id. */
export type LegLinks = ReadonlyMap<string, number>;

export interface PreparedCombos {
  /** Of all given combos, by condition id. */
  readonly marketIds: ReadonlyMap<string, number>;
  /** Writes their legs. Its statements need no results: one message, which others can join. */
  readonly writeLegs: () => Promise<unknown>;
}

/**
 * Writes combos, in the caller's transaction, which must hold the ledger lock, and prepares what to write of their legs. The set
 * of legs of a combo never changes, so the first one stays: a later read only updates what the provider says of each leg,
 * in any order of the legs. A read that names other legs is quarantined. One message, which others can join.
 */
export async function writeCombos(
  session: Session,
  given: readonly ProviderCombo[],
  links: LegLinks,
  readAt: Date,
): Promise<PreparedCombos> {
  const named = mergeByCondition(given);
  if (named.length === 0) return { marketIds: new Map(), writeLegs: async () => undefined };
  const conditionIds = named.map(({ conditionId }) => conditionId);
  const [marketIds, storedLegs] = await Promise.all([
    writeComboRows(session, named, conditionIds),
    listStoredLegs(session, conditionIds),
  ]);
  const [added, updated, contradictions]: [LegRow[], LegRow[], QuarantinedRecord[]] = [[], [], []];
  for (const { conditionId, legs } of named) {
    const marketId = marketIds.get(conditionId);
    if (marketId === undefined || legs.length === 0) continue;
    const rows = legs.map((leg, legIndex) => ({ marketId, legIndex, leg }));
    const known = storedLegs.get(marketId);
    if (known === undefined) added.push(...rows);
    else if (known.size === legs.length && legs.every(({ positionId }) => known.has(positionId))) updated.push(...rows);
    else contradictions.push({ record: { conditionId, legs }, reason: "legs: other positions than read before" });
  }
  const writeLegs = () =>
    Promise.all([
      insertLegs(session, added, readAt),
      updateLegs(session, updated, readAt),
      quarantineRecords(session, "combos", contradictions),
      linkLegs(session, [...marketIds.values()], links),
    ]);
  return { marketIds, writeLegs };
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
async function writeComboRows(
  session: Session,
  named: readonly ProviderCombo[],
  conditionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const titles = recordset("t", named, {
    condition_id: ["text", ({ conditionId }) => conditionId],
    title: ["text", ({ legs }) => legs.map(({ market }) => market.title ?? "").join(" AND ") || null],
  });
  const [, rows] = await Promise.all([
    run(
      session,
      sql`insert into ${markets} (${columnNames(markets.conditionId, markets.title)})
       select condition_id, title from ${titles} on conflict (${columnName(markets.conditionId)}) do nothing`,
    ),
    selectRows(
      session,
      sql`with named as (
         select ${m.id}, ${m.conditionId} from ${m} where ${m.conditionId} = any(${array(conditionIds, "text")})
       ), added as (
         insert into ${combos} (${columnNames(combos.marketId, combos.statusReason)})
         select id, 'legs_not_indexed' from named on conflict (${columnName(combos.marketId)}) do nothing
       )
       select id, condition_id from named`,
      z.object({ id: integer, condition_id: z.string() }),
    ),
  ]);
  return new Map(rows.map((row) => [row.condition_id, row.id]));
}

async function listStoredLegs(
  session: Session,
  conditionIds: readonly string[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const rows = await selectRows(
    session,
    sql`select ${stored.marketId}, ${stored.positionId} from ${m} join ${stored} on ${stored.marketId} = ${m.id}
      where ${m.conditionId} = any(${array(conditionIds, "text")})`,
    z.object({ market_id: integer, position_id: z.string() }),
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

const combo = alias(combos, "combo");

async function insertLegs(session: Session, rows: readonly LegRow[], readAt: Date): Promise<void> {
  if (rows.length === 0) return;
  const { marketId, legIndex, positionId, moduleId, outcomeIndex, state } = comboLegs;
  const columns = [marketId, legIndex, positionId, moduleId, outcomeIndex, ...REPORTED];
  const inserted = run(
    session,
    sql`insert into ${comboLegs} (${columnNames(...columns, state, comboLegs.readAt)})
     select ${columnNames(...columns)}, 'unknown', ${timestamp(readAt)} from ${legRows(rows)}`,
  );
  const counts = [...Map.groupBy(rows, (row) => row.marketId)].map(([id, legs]) => ({ id, count: legs.length }));
  const counted = recordset("t", counts, {
    market_id: ["bigint", ({ id }) => id],
    leg_count: ["smallint", ({ count }) => count],
  });
  const updated = run(
    session,
    sql`update ${combo} set ${columnName(combos.legCount)} = t.leg_count,
       ${columnName(combos.legsKnownAt)} = ${timestamp(readAt)}
     from ${counted} where ${combo.marketId} = t.market_id`,
  );
  await Promise.all([inserted, updated]);
}

/** A read that is older than the stored one changes nothing. */
async function updateLegs(session: Session, rows: readonly LegRow[], readAt: Date): Promise<void> {
  if (rows.length === 0) return;
  await run(
    session,
    sql`update ${stored} set ${setEach(REPORTED, (column) => sql`t.${columnName(column)}`)},
       ${columnName(stored.readAt)} = ${timestamp(readAt)}
     from ${legRows(rows)}
     where ${stored.marketId} = t.market_id and ${stored.positionId} = t.position_id
       and ${stored.readAt} <= ${timestamp(readAt)}`,
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
    sql`update ${stored} set ${columnName(stored.legMarketId)} = t.leg_market_id
     from ${linked}
     where ${stored.marketId} = any(${array(marketIds, "bigint")}) and ${stored.positionId} = t.position_id
       and ${stored.legMarketId} is null`,
  );
}
