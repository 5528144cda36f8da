import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { ev, l, m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { LISTING_MAX_AGE } from "../../db/fragments/market-price.ts";
import { recordset, type RecordsetColumn } from "../../db/fragments/recordset.ts";
import { markets } from "../../db/schema.ts";
import { array, columnName, columnNames, excluded, qualified, run, setEach, timestamp } from "../../db/sql.ts";
import type { ProviderMarket } from "../../platform/provider.ts";

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The columns that are copied from the market object. */
const COPIED: readonly (readonly [AnyPgColumn, ...RecordsetColumn<ProviderMarket>])[] = [
  [markets.providerMarketId, "text", (market) => market.providerMarketId],
  [markets.title, "text", (market) => market.title],
  [markets.slug, "text", (market) => market.slug],
  [markets.description, "text", (market) => market.description],
  [markets.image, "text", (market) => market.image],
  [markets.icon, "text", (market) => market.icon],
  [markets.category, "text", (market) => market.category],
  [markets.protocolVersion, "text", (market) => market.protocolVersion],
  [markets.negRisk, "boolean", (market) => market.negRisk],
  [markets.marketType, "text", (market) => market.marketType],
  [markets.gameId, "text", (market) => market.gameId],
  [markets.seriesSlug, "text", (market) => market.event?.seriesSlug ?? null],
  [markets.providerCreatedAt, "timestamptz", (market) => iso(market.createdAt)],
  [markets.startAt, "timestamptz", (market) => iso(market.startAt)],
  [markets.endAt, "timestamptz", (market) => iso(market.endAt)],
  [markets.gameStartAt, "timestamptz", (market) => iso(market.gameStartAt)],
  [markets.volumeUsd, "numeric", (market) => market.volumeUsd],
  [markets.volume24hUsd, "numeric", (market) => market.volume24hUsd],
  [markets.liquidityUsd, "numeric", (market) => market.liquidityUsd],
];
const COPIED_COLUMNS = COPIED.map(([column]) => column);
/**
 * The copied columns from which nothing is computed when they change: no writer of the ledger reads or copies them, and
 * neither bets nor the schedule of results depend on them. A change of these alone is written without the ledger lock
 * (write-plain-markets.ts). A column that is not listed is written under the lock.
 */
const INDEPENDENT_COLUMNS: readonly AnyPgColumn[] = [
  markets.description,
  markets.image,
  markets.icon,
  markets.volumeUsd,
  markets.volume24hUsd,
  markets.liquidityUsd,
];
/** The columns that show the close. */
const CLOSE_COLUMNS = [markets.closed, markets.closedAt];
/** The columns that show what a market is, beside those that are copied, and their values. */
const DESCRIBED_COLUMNS = [markets.eventId, markets.tags, markets.resolutionStatus];
const DESCRIPTION = sql`t.event_id, t.tag_names, coalesce(t.resolution_status, ${markets.resolutionStatus})`;

const DEPENDENT_COLUMNS = [...COPIED_COLUMNS, ...CLOSE_COLUMNS].filter(
  (column) => !INDEPENDENT_COLUMNS.includes(column),
);

// The provider's edge cache may still serve a market object from before the market closed.
const MAY_BE_OLDER_THAN_CLOSE = sql`(${markets.closed} and not ${excluded(markets.closed)}
  and coalesce(${markets.closedAt}, ${markets.figuresAsOf}) > ${excluded(markets.figuresAsOf)} - ${LISTING_MAX_AGE})`;

const SET_CLOSE = setEach(
  CLOSE_COLUMNS,
  (column) => sql`case when ${MAY_BE_OLDER_THAN_CLOSE} then ${column} else ${excluded(column)} end`,
);

/**
 * Writes the markets. Their events must be stored. Of a market that has not changed only the time is written, which is in
 * no index.
 */
export async function writeMarkets(session: Session, rows: readonly ProviderMarket[], readAt: Date): Promise<void> {
  const { conditionId, resolutionStatus, figuresAsOf, hydratedAt } = markets;
  const compared = [...COPIED_COLUMNS, ...CLOSE_COLUMNS];
  const computed = [markets.eventId, markets.tags, figuresAsOf, hydratedAt];
  const readTime = timestamp(readAt);
  await run(
    session,
    sql`with t as materialized (
       select t.*, ${ev.id} as event_id, array(select jsonb_array_elements_text(t.tags)) as tag_names
       from ${recordset("t", rows, MARKET_ROW)}
       left join ${ev} on ${ev.slug} = t.event_slug
     ), same as (
       update ${markets} set ${columnName(figuresAsOf)} = ${readTime}
       from t
       where ${conditionId} = t.condition_id and ${hydratedAt} is not null
         and (${qualified([...compared, ...DESCRIBED_COLUMNS])})
           is not distinct from (${ofInput(compared)}, ${DESCRIPTION})
       returning ${conditionId}
     )
     insert into ${markets} (${columnNames(conditionId, ...compared, ...computed, resolutionStatus)})
     select ${ofInput([conditionId, ...compared])}, t.event_id, t.tag_names, ${readTime}, ${readTime},
       t.resolution_status
     from t where t.condition_id not in (select condition_id from same)
     on conflict (${columnName(conditionId)}) do update set
       ${setEach([...COPIED_COLUMNS, markets.eventId, markets.tags, figuresAsOf], excluded)}, ${SET_CLOSE},
       ${columnName(hydratedAt)} = coalesce(${hydratedAt}, ${excluded(hydratedAt)}),
       ${columnName(resolutionStatus)} = coalesce(${excluded(resolutionStatus)}, ${resolutionStatus})`,
  );
}

/** Writes the categories of these markets to their large trades. */
export async function writeCategories(session: Session, conditionIds: readonly string[]): Promise<void> {
  await run(
    session,
    sql`with locked as (
       select ${l.id}, ${m.category} from ${m} join ${l} on ${l.marketId} = ${m.id}
       where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${l.category} is distinct from ${m.category}
       order by ${l.id} for no key update of l
     )
     update ${l} set ${columnName(l.category)} = locked.category from locked where ${l.id} = locked.id`,
  );
}

/**
 * SQL condition: the stored market of `markets` differs from the row `t` in independent columns at most. `t` has the
 * columns of `MARKET_ROW`, `tag_names`, and the `event_id` of an event that is stored as described.
 */
export const IS_PLAIN: SQL = sql`(${markets.hydratedAt} is not null and (t.event_slug is null) = (t.event_id is null)
  and (${qualified([...DEPENDENT_COLUMNS, ...DESCRIBED_COLUMNS])})
    is not distinct from (${ofInput(DEPENDENT_COLUMNS)}, ${DESCRIPTION}))`;

/** Assignments of the independent columns and the time; a market that has not changed gets only the time. */
export function updatePlain(plain: SQL, readAt: Date): { readonly same: SQL; readonly changed: SQL } {
  const given = ofInput(INDEPENDENT_COLUMNS);
  const isSame = sql`(${qualified(INDEPENDENT_COLUMNS)}) is not distinct from (${given})`;
  const update = (assignments: SQL, condition: SQL) =>
    sql`update ${markets} set ${assignments} from ${plain} t where ${markets.id} = t.market_id and ${condition}`;
  const time = sql`${columnName(markets.figuresAsOf)} = ${timestamp(readAt)}`;
  const figures = setEach(INDEPENDENT_COLUMNS, (column) => sql`t.${columnName(column)}`);
  return { same: update(time, isSame), changed: update(sql`${figures}, ${time}`, sql`not (${isSame})`) };
}

function ofInput(columns: readonly AnyPgColumn[]): SQL {
  return sql.join(
    columns.map((column) => sql`t.${columnName(column)}`),
    sql`, `,
  );
}

/** The columns of a market's row of a response. */
export const MARKET_ROW: Readonly<Record<string, RecordsetColumn<ProviderMarket>>> = {
  condition_id: ["text", (market) => market.conditionId],
  ...Object.fromEntries(COPIED.map(([column, type, value]) => [column.name, [type, value] as const])),
  closed: ["boolean", (market) => market.closed],
  closed_at: ["timestamptz", (market) => iso(market.closedAt)],
  event_slug: ["text", (market) => market.event?.slug ?? null],
  tags: ["jsonb", (market) => JSON.stringify(market.tags)],
  resolution_status: ["text", (market) => market.resolutionStatus],
};
