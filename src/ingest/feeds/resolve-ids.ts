import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ev, m, o, t } from "../../db/aliases.ts";
import type { Connection, Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { markets, outcomes, providerEvents, traders } from "../../db/schema.ts";
import { array, columnName, columnNames, integer, run, selectRows } from "../../db/sql.ts";
import { isCombination } from "../../domain/ids.ts";
import type { MarketHint, TraderHint } from "../../platform/provider.ts";
import { startCombos } from "../combos/describe-combos.ts";
import type { KnownRowIds, NewRowIds, OutcomeRef } from "./row-id-cache.ts";

/** The trader and the outcome token that a record refers to. */
export interface RecordReferences {
  readonly trader: TraderHint;
  readonly market: MarketHint;
  readonly tokenId: string;
  readonly outcomeIndex: number | null;
  readonly outcomeLabel: string | null;
}

export interface ResolvedIds {
  traderId(address: string): number;
  outcome(tokenId: string): OutcomeRef;
  readonly newIds: NewRowIds;
}

/**
 * The row ids of everything that the records refer to. Traders, markets and outcomes that are new get a row.
 */
export async function resolveIds(
  session: Session,
  named: readonly RecordReferences[],
  known: KnownRowIds,
): Promise<ResolvedIds> {
  const [traderIds, outcomeRefs] = await Promise.all([
    resolveTraders(session, unknownTraders(tradersOf(named), known)),
    resolveOutcomes(session, unknownOutcomes(named, known)),
  ]);
  return toResolved(known, { traders: traderIds, outcomes: outcomeRefs });
}

/**
 * Adds the ids of those rows that are stored, outside a transaction that waits for a lock. Ids never change, so the
 * transaction needs no statement for them. A trader whose stored name differs stays unknown: `resolveIds` writes the name.
 *
 * @param others traders that are named without an outcome
 * @returns what was known, and these ids, for these records alone: the next ones may have another name
 */
export async function lookUpIds(
  connection: Connection,
  named: readonly RecordReferences[],
  others: readonly TraderHint[],
  known: KnownRowIds,
): Promise<KnownRowIds> {
  const unknown = unknownTraders([...others, ...tradersOf(named)], known);
  const tokenIds = unknownOutcomes(named, known).map(({ tokenId }) => tokenId);
  if (unknown.length === 0 && tokenIds.length === 0) return known;
  const rows = await selectRows(
    connection,
    sql`select ${t.address} as name, ${t.id}, null::bigint as market_id
     from ${hintRows(unknown)} join ${t} on ${t.address} = hint.address
     where hint.username is null
       or (hint.username, coalesce(hint.profile_image, ${t.profileImage})) is not distinct from (${t.username}, ${t.profileImage})
     union all
     select ${o.tokenId}, ${o.id}, ${o.marketId} from ${o} where ${o.tokenId} = any(${array(tokenIds, "text")})`,
    z.object({ name: z.string(), id: integer, market_id: integer.nullable() }),
  );
  const [traderIds, outcomeRefs] = [new Map<string, number>(), new Map<string, OutcomeRef>()];
  for (const { name, id, market_id: marketId } of rows) {
    if (marketId === null) traderIds.set(name, id);
    else outcomeRefs.set(name, { outcomeId: id, marketId });
  }
  return {
    traderId: (address) => known.traderId(address) ?? traderIds.get(address),
    outcome: (tokenId) => known.outcome(tokenId) ?? outcomeRefs.get(tokenId),
  };
}

/** The same without a statement; null when an id is not in the cache. */
export function findKnownIds(named: readonly RecordReferences[], known: KnownRowIds): ResolvedIds | null {
  const areKnown = named.every(
    ({ trader, tokenId }) => known.traderId(trader.address) !== undefined && known.outcome(tokenId) !== undefined,
  );
  return areKnown ? toResolved(known, { traders: new Map(), outcomes: new Map() }) : null;
}

const toResolved = (known: KnownRowIds, learned: NewRowIds): ResolvedIds => ({
  newIds: learned,
  traderId: (address) => required(known.traderId(address) ?? learned.traders.get(address), `address ${address}`),
  outcome: (tokenId) => required(known.outcome(tokenId) ?? learned.outcomes.get(tokenId), `token ${tokenId}`),
});

const hintRows = (hints: readonly TraderHint[]): SQL =>
  recordset("hint", hints, {
    address: ["text", ({ address }) => address],
    username: ["text", ({ username }) => username],
    profile_image: ["text", ({ profileImage }) => profileImage],
  });

/** The row ids of traders by address, for activity that names no outcome. */
export async function resolveTraders(session: Session, hints: readonly TraderHint[]): Promise<Map<string, number>> {
  if (hints.length === 0) return new Map();
  const { username, profileImage } = traders;
  const rows = await selectRows(
    session,
    sql`with input as (
       select * from ${hintRows(hints)}
     ), written as (
       insert into ${traders} (${columnNames(traders.address, username, profileImage)})
       select address, username, profile_image from input
       on conflict (${columnName(traders.address)}) do update
         set ${columnName(username)} = coalesce(excluded.username, ${username}),
             ${columnName(profileImage)} = coalesce(excluded.profile_image, ${profileImage})
         where excluded.username is not null
           and (excluded.username, excluded.profile_image) is distinct from (${username}, ${profileImage})
       returning ${traders.id}, ${traders.address}
     )
     select id, address from written
     union all
     select ${traders.id}, ${traders.address} from ${traders} join input using (${columnName(traders.address)})`,
    z.object({ id: integer, address: z.string() }),
  );
  return new Map(rows.map((row) => [row.address, row.id]));
}

const tradersOf = (named: readonly RecordReferences[]): TraderHint[] => named.map(({ trader }) => trader);

function unknownTraders(named: readonly TraderHint[], known: KnownRowIds): TraderHint[] {
  const byAddress = new Map<string, TraderHint>();
  for (const trader of named) {
    if (known.traderId(trader.address) === undefined) byAddress.set(trader.address, trader);
  }
  return [...byAddress.values()];
}

function unknownOutcomes(named: readonly RecordReferences[], known: KnownRowIds): RecordReferences[] {
  const byToken = new Map<string, RecordReferences>();
  for (const row of named) {
    if (known.outcome(row.tokenId) !== undefined) continue;
    const earlier = byToken.get(row.tokenId);
    // A recent row may lack the outcome index while an older row of the same page has it.
    if (earlier === undefined || earlier.outcomeIndex === null) byToken.set(row.tokenId, row);
  }
  return [...byToken.values()];
}

async function resolveOutcomes(session: Session, rows: readonly RecordReferences[]): Promise<Map<string, OutcomeRef>> {
  if (rows.length === 0) return new Map();
  // In one message, in this order: each refers to the rows of the one before.
  const conditionIds = new Set(rows.map((row) => row.market.conditionId));
  const [, , , outcomeRefs] = await Promise.all([
    insertEventStubs(session, rows),
    insertMarketStubs(session, rows),
    startCombos(session, [...conditionIds].filter(isCombination)),
    insertOutcomeStubs(session, rows),
  ]);
  return outcomeRefs;
}

async function insertEventStubs(session: Session, rows: readonly RecordReferences[]): Promise<void> {
  const slugs = [...new Set(rows.flatMap((row) => row.market.eventSlug ?? []))].toSorted();
  if (slugs.length === 0) return;
  const slug = columnName(providerEvents.slug);
  await run(
    session,
    sql`insert into ${providerEvents} (${slug}) select unnest(${array(slugs, "text")})
     on conflict (${slug}) do nothing`,
  );
}

async function insertMarketStubs(session: Session, rows: readonly RecordReferences[]): Promise<void> {
  const stubs = [...new Map(rows.map((row) => [row.market.conditionId, row.market])).values()];
  const conditionIds = stubs.map((stub) => stub.conditionId);
  const titles = stubs.map((stub) => stub.title);
  const slugs = stubs.map((stub) => stub.slug);
  const icons = stubs.map((stub) => stub.icon);
  const eventSlugs = stubs.map((stub) => stub.eventSlug);
  const { conditionId, title, slug, icon, eventId } = markets;
  await run(
    session,
    sql`insert into ${markets} (${columnNames(conditionId, title, slug, icon, eventId)})
     select t.condition_id, t.title, t.slug, t.icon, ${ev.id}
     from unnest(${array(conditionIds, "text")}, ${array(titles, "text")}, ${array(slugs, "text")},
         ${array(icons, "text")}, ${array(eventSlugs, "text")})
       as t(condition_id, title, slug, icon, event_slug)
     left join ${ev} on ${ev.slug} = t.event_slug
     on conflict (${columnName(conditionId)}) do nothing`,
  );
}

/**
 * Inserts outcomes. A trade may claim an index that another token of its market has; the index then stays
 * null until the provider's market object assigns it.
 */
async function insertOutcomeStubs(
  session: Session,
  rows: readonly RecordReferences[],
): Promise<Map<string, OutcomeRef>> {
  const tokenIds = rows.map((row) => row.tokenId);
  const conditionIds = rows.map((row) => row.market.conditionId);
  const indexes = rows.map((row) => row.outcomeIndex);
  const labels = rows.map((row) => row.outcomeLabel);
  const { id, marketId, tokenId, outcomeIndex, label } = outcomes;
  const written = await selectRows(
    session,
    sql`with input as (
       select t.*, ${m.id} as market_id,
         row_number() over (partition by ${m.id}, t.outcome_index order by t.token_id) as claim
       from unnest(${array(tokenIds, "text")}, ${array(conditionIds, "text")}, ${array(indexes, "smallint")},
           ${array(labels, "text")})
         as t(token_id, condition_id, outcome_index, label)
       join ${m} on ${m.conditionId} = t.condition_id
     ), added as (
       insert into ${outcomes} (${columnNames(marketId, tokenId, outcomeIndex, label)})
       select market_id, token_id,
         case when claim = 1 and not exists (
           select from ${o} where ${o.marketId} = input.market_id and ${o.outcomeIndex} = input.outcome_index
         ) then outcome_index end,
         label
       from input
       on conflict (${columnName(tokenId)}) do nothing
       returning ${id}, ${marketId}, ${tokenId}
     )
     select id, market_id, token_id from added
     union all select ${o.id}, ${o.marketId}, ${o.tokenId} from ${o} join input using (${columnName(tokenId)})`,
    z.object({ id: integer, market_id: integer, token_id: z.string() }),
  );
  return new Map(written.map((row) => [row.token_id, { outcomeId: row.id, marketId: row.market_id }]));
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`no row for ${what}`);
  return value;
}
