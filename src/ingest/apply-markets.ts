import type { Session } from "../db/client.ts";
import { LISTING_AGE, noBookBefore } from "../db/market-price.ts";
import type { Misfit, ProviderEvent, ProviderMarket } from "../ports/provider.ts";
import { settlePositions } from "./apply-resolutions.ts";
import { isNewerTrade } from "./ledger/last-trades.ts";
import { lockLedger } from "./ledger/record-entries.ts";
import { readScheduled, scheduleDescribed } from "./results/schedule-results.ts";
import { setAside } from "./set-aside.ts";
import { markReshaped, readBetShapes } from "./skill/mark-due.ts";

/**
 * Writes markets as the provider describes them now, with their events and outcomes. Applying the same answer twice changes nothing but
 * the clock of its figures.
 *
 * @param readAt when the provider answered; the prices and volumes carry it as their as-of
 */
export async function applyMarkets(
  session: Session,
  rows: readonly ProviderMarket[],
  misfits: readonly Misfit[],
  readAt: Date,
): Promise<void> {
  const byCondition = new Map(rows.map((row) => [row.conditionId, row]));
  const unique = [...byCondition.values()];
  await setAside(session, "markets", misfits);
  if (unique.length === 0) return;
  await lockLedger(session);
  const shapes = await readBetShapes(session, [...byCondition.keys()]);
  const scheduled = await readScheduled(session, [...byCondition.keys()]);
  await writeEvents(session, unique, readAt);
  await writeMarkets(session, unique, readAt);
  await writeOutcomes(session, unique, readAt);
  await settleResolved(session, unique);
  await markReshaped(session, [...byCondition.keys()], shapes);
  await scheduleDescribed(session, unique, scheduled, readAt);
}

/** An outcome that has just got its index in a market resolved before pays out now. */
async function settleResolved(session: Session, rows: readonly ProviderMarket[]): Promise<void> {
  const { rows: resolved } = await session.query<{ id: string; settled_on: string }>(
    `select id, settled_on::text as settled_on from markets where condition_id = any($1::text[]) and payouts_ppm is not null`,
    [rows.map((row) => row.conditionId)],
  );
  await settlePositions(
    session,
    resolved.map((row) => ({ marketId: row.id, settledOnBefore: row.settled_on })),
  );
}

const iso = (at: Date | null) => at?.toISOString() ?? null;
// Postgres takes no ragged arrays, so lists travel as JSON.
const tagList = (tags: readonly string[]) => JSON.stringify(tags);

async function writeEvents(session: Session, rows: readonly ProviderMarket[], readAt: Date): Promise<void> {
  const events = new Map<string, ProviderEvent & { category: string | null }>();
  for (const { event, category } of rows) if (event !== null) events.set(event.slug, { ...event, category });
  const list = [...events.values()];
  if (list.length === 0) return;
  // A slug can pass from one provider event to another; the newest holder keeps the id.
  await session.query(
    `update provider_events e set provider_event_id = null
     from unnest($1::text[], $2::text[]) as t(provider_event_id, slug)
     where e.provider_event_id = t.provider_event_id and e.slug <> t.slug`,
    [list.map((e) => e.providerEventId), list.map((e) => e.slug)],
  );
  await session.query(
    `insert into provider_events
       (provider_event_id, slug, title, image, series_slug, category, tags, start_at, end_at, hydrated_at)
     select provider_event_id, slug, title, image, series_slug, category, array(select jsonb_array_elements_text(tags)), start_at, end_at, $10::timestamptz
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::timestamptz[], $9::timestamptz[])
       as t(provider_event_id, slug, title, image, series_slug, category, tags, start_at, end_at)
     on conflict (slug) do update set
       provider_event_id = excluded.provider_event_id, title = excluded.title, image = excluded.image,
       series_slug = excluded.series_slug, category = excluded.category, tags = excluded.tags, start_at = excluded.start_at,
       end_at = excluded.end_at, hydrated_at = excluded.hydrated_at`,
    [
      list.map((e) => e.providerEventId),
      list.map((e) => e.slug),
      list.map((e) => e.title),
      list.map((e) => e.image),
      list.map((e) => e.seriesSlug),
      list.map((e) => e.category),
      list.map((e) => tagList(e.tags)),
      list.map((e) => iso(e.startAt)),
      list.map((e) => iso(e.endAt)),
      readAt.toISOString(),
    ],
  );
}

// The provider's edge may still answer with an object from before the market closed.
const MAY_BE_OLDER_THAN_CLOSE = `(markets.closed and not excluded.closed
  and coalesce(markets.closed_at, markets.hydrated_at) > excluded.hydrated_at - ${LISTING_AGE})`;

async function writeMarkets(session: Session, rows: readonly ProviderMarket[], readAt: Date): Promise<void> {
  const columns: [name: string, type: string, values: unknown[]][] = [
    ["condition_id", "text", rows.map((m) => m.conditionId)],
    ["provider_market_id", "text", rows.map((m) => m.providerMarketId)],
    ["title", "text", rows.map((m) => m.title)],
    ["slug", "text", rows.map((m) => m.slug)],
    ["description", "text", rows.map((m) => m.description)],
    ["image", "text", rows.map((m) => m.image)],
    ["icon", "text", rows.map((m) => m.icon)],
    ["category", "text", rows.map((m) => m.category)],
    ["protocol_version", "text", rows.map((m) => m.protocolVersion)],
    ["neg_risk", "boolean", rows.map((m) => m.negRisk)],
    ["market_type", "text", rows.map((m) => m.marketType)],
    ["game_id", "text", rows.map((m) => m.gameId)],
    ["series_slug", "text", rows.map((m) => m.event?.seriesSlug ?? null)],
    ["closed", "boolean", rows.map((m) => m.closed)],
    ["provider_created_at", "timestamptz", rows.map((m) => iso(m.createdAt))],
    ["start_at", "timestamptz", rows.map((m) => iso(m.startAt))],
    ["end_at", "timestamptz", rows.map((m) => iso(m.endAt))],
    ["closed_at", "timestamptz", rows.map((m) => iso(m.closedAt))],
    ["game_start_at", "timestamptz", rows.map((m) => iso(m.gameStartAt))],
    ["volume_usd", "numeric", rows.map((m) => m.volumeUsd)],
    ["volume_24h_usd", "numeric", rows.map((m) => m.volume24hUsd)],
    ["liquidity_usd", "numeric", rows.map((m) => m.liquidityUsd)],
  ];
  const names = columns.map(([name]) => name);
  const extra = ["event_id", "tags", "figures_as_of", "hydrated_at"];
  const updated = [...names.slice(1), ...extra].map((name) =>
    name === "closed" || name === "closed_at"
      ? `${name} = case when ${MAY_BE_OLDER_THAN_CLOSE} then markets.${name} else excluded.${name} end`
      : `${name} = excluded.${name}`,
  );
  const parameter = (index: number) => `$${index + 1}::${columns[index]?.[1]}[]`;
  await session.query(
    `with written as (
       insert into markets (${[...names, ...extra].join(", ")}, resolution_status)
       select ${names.map((name) => `t.${name}`).join(", ")}, e.id, array(select jsonb_array_elements_text(t.tags)),
         $${columns.length + 4}::timestamptz, $${columns.length + 4}::timestamptz, t.resolution_status
       from unnest(${columns.map((_, index) => parameter(index)).join(", ")},
         $${columns.length + 1}::text[], $${columns.length + 2}::jsonb[], $${columns.length + 3}::text[])
         as t(${names.join(", ")}, event_slug, tags, resolution_status)
       left join provider_events e on e.slug = t.event_slug
       on conflict (condition_id) do update set ${updated.join(", ")},
         resolution_status = coalesce(excluded.resolution_status, markets.resolution_status)
       returning id, category
     )
     update large_trades l set category = written.category
     from written where l.market_id = written.id and l.category is distinct from written.category`,
    [
      ...columns.map(([, , values]) => values),
      rows.map((m) => m.event?.slug ?? null),
      rows.map((m) => tagList(m.tags)),
      rows.map((m) => m.resolutionStatus),
      readAt.toISOString(),
    ],
  );
}

const QUOTE = ["best_bid", "best_ask", "bid_depth_usd", "ask_depth_usd", "book_source", "book_as_of"];
// What an object says may be from as long before it was read as the provider's edge caches it.
const SAID_AT = `$9::timestamptz - ${LISTING_AGE}`;
const NO_BOOK_BEFORE = `(select ${noBookBefore({ market: "m", now: "$9::timestamptz" })} from markets m where m.id = excluded.market_id)`;
const HAS_NEWER_BOOK = `(outcomes.book_source = 'clob_book' and outcomes.book_as_of > ${SAID_AT} and outcomes.book_as_of >= ${NO_BOOK_BEFORE})`;
const HAS_NEWER_TRADE = isNewerTrade(
  { price: "excluded.last_trade_price", at: "excluded.last_trade_at", tx: "excluded.last_trade_tx" },
  "outcomes",
);
const TRADE = ["last_trade_price", "last_trade_at", "last_trade_tx"];

/**
 * Writes the outcomes with the quotes and last trades of the market object, which was cached for up to five minutes. Quotes of the outcome's own
 * book that may be newer stay; so does a last trade that may be. No quotes are stored from before an end that has passed. A closed market's last
 * trade was at the latest when it closed.
 */
async function writeOutcomes(session: Session, rows: readonly ProviderMarket[], readAt: Date): Promise<void> {
  const outcomes = rows.flatMap((market) => market.outcomes.map((outcome) => ({ ...outcome, conditionId: market.conditionId })));
  if (outcomes.length === 0) return;
  // An index a trade claimed wrongly is freed first, so that the provider's market object can assign it.
  await session.query(
    `update outcomes o set outcome_index = null
     from unnest($1::text[], $2::text[], $3::smallint[]) as t(condition_id, token_id, outcome_index)
     join markets m on m.condition_id = t.condition_id
     where o.market_id = m.id and o.outcome_index = t.outcome_index and o.token_id <> t.token_id`,
    [outcomes.map((o) => o.conditionId), outcomes.map((o) => o.tokenId), outcomes.map((o) => o.outcomeIndex)],
  );
  await session.query(
    `insert into outcomes
       (market_id, token_id, outcome_index, label, price, last_trade_price, last_trade_at, best_bid, best_ask, book_source, book_as_of)
     select m.id, t.token_id, t.outcome_index, t.label, t.price, t.last_trade_price,
       case when t.last_trade_price is not null then least(${SAID_AT}, case when m.closed then m.closed_at end) end,
       case when q.is_book then t.best_bid end, case when q.is_book then t.best_ask end,
       case when q.is_book then 'gamma_market' end, case when q.is_book then $9::timestamptz end
     from unnest($1::text[], $2::text[], $3::smallint[], $4::text[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[])
       as t(condition_id, token_id, outcome_index, label, price, last_trade_price, best_bid, best_ask)
     join markets m on m.condition_id = t.condition_id
     cross join lateral (
       select (t.best_bid is not null or t.best_ask is not null)
         and ${SAID_AT} >= ${noBookBefore({ market: "m", now: "$9::timestamptz" })} as is_book
     ) q
     on conflict (token_id) do update set
       market_id = excluded.market_id, outcome_index = excluded.outcome_index, label = excluded.label, price = excluded.price,
       ${TRADE.map((name) => `${name} = case when ${HAS_NEWER_TRADE} then excluded.${name} else outcomes.${name} end`).join(", ")},
       ${QUOTE.map((name) => `${name} = case when ${HAS_NEWER_BOOK} then outcomes.${name} else excluded.${name} end`).join(", ")}`,
    [
      outcomes.map((o) => o.conditionId),
      outcomes.map((o) => o.tokenId),
      outcomes.map((o) => o.outcomeIndex),
      outcomes.map((o) => o.label),
      outcomes.map((o) => o.price),
      outcomes.map((o) => o.lastTradePrice),
      outcomes.map((o) => o.bestBid),
      outcomes.map((o) => o.bestAsk),
      readAt.toISOString(),
    ],
  );
}
