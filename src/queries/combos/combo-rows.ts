import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, ev, m, o, t, totals } from "../../db/aliases.ts";
import { numberOfExchange } from "../../db/fragments/exchange-family.ts";
import { comboFills, comboLegs, combos, fillLogs, markets, outcomeDays, outcomes } from "../../db/schema.ts";
import { alias, bigintText, epochMs, integer, isoText } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";

export const f = alias(comboFills, "f");
export const c = alias(combos, "c");
export const leg = alias(comboLegs, "leg");
export const legMarket = alias(markets, "leg_market");
const legOutcome = alias(outcomes, "leg_outcome");
const d = alias(outcomeDays, "d");
export const fl = alias(fillLogs, "fl");

/**
 * A log of the exchange of combos. A literal, so that the partial index by block and log index applies. The log of a fill
 * without its `OrdersMatched` event has no exchange, so it counts as unknown.
 */
export const IS_COMBO_LOG = sql`${fl.exchange} = ${sql.raw(String(numberOfExchange("v3")))}`;

const text = z.string().nullable();

/** The market of a leg as our own rows have it. */
const OwnLegMarket = z.object({
  condition_id: z.string(),
  title: text,
  slug: text,
  event_slug: text,
  outcome_label: text,
  image: text,
  category: text,
  payouts_ppm: z.array(z.number()).nullable(),
  resolved_at: text,
  closed: z.boolean(),
  /** The newest stored daily close of the leg's outcome, with its UTC day. */
  close: text,
  close_day: text,
});

/** The market of a leg as the provider's combo reads have it. */
const ProviderLegMarket = z.object({
  condition_id: z.string(),
  resolved_at: text,
  title: text,
  slug: text,
  eventSlug: text,
  outcomeLabel: text,
  image: text,
  category: text,
  tags: z.array(z.string()),
});

export const ComboLegRow = z.object({
  leg_index: integer,
  outcome_index: integer,
  module_id: integer,
  state: z.enum(["pending", "won", "lost", "void", "unknown"]),
  provider_status: text,
  /** Null unless `own_market` is: it is shown in its place. */
  provider_market: ProviderLegMarket.nullable(),
  /** Null while the market's row or its description is missing. */
  own_market: OwnLegMarket.nullable(),
});

export type ComboLegRow = z.output<typeof ComboLegRow>;

export const ComboRow = z.object({
  market_id: integer,
  condition_id: z.string(),
  /** Null until the legs are known; `legs` is empty until then. */
  leg_count: integer.nullable(),
  status: z.enum(["pending", "won", "lost", "unknown"]),
  status_reason: text,
  are_legs_known: z.boolean(),
  legs: z.array(ComboLegRow),
});

export type ComboRow = z.output<typeof ComboRow>;

export const ComboFillRow = z.object({
  id: integer,
  /** The `market_id` of its `ComboRow`. */
  market_id: integer,
  /** The second of the fill, which orders the list before the id. */
  seconds: integer,
  /** Of the chain; null unless the chain was read. */
  block_number: integer.nullable(),
  log_index: integer.nullable(),
  traded_at: z.string(),
  tx_hash: z.string(),
  address: z.string(),
  username: text,
  grade: z.enum(GRADES).nullable(),
  last_traded_at: text,
  kind: z.enum(["buy", "sell"]),
  token_id: z.string(),
  /** Null while the provider has not given it. */
  outcome_index: integer.nullable(),
  shares_micro: bigintText,
  usd_micro: bigintText,
  price: z.string(),
  /** Null while the fee is unknown. */
  fee_micro: bigintText.nullable(),
});

export type ComboFillRow = z.output<typeof ComboFillRow>;

/*
 * The values are built as json. As jsonb, each level would be converted to its binary form and sorted by key, which was
 * most of the time of a page.
 */

const OWN_MARKET = sql`json_build_object(
  'condition_id', ${legMarket.conditionId}, 'title', ${legMarket.title}, 'slug', ${legMarket.slug},
  'event_slug', ${ev.slug}, 'outcome_label', ${legOutcome.label}, 'image', ${legMarket.image},
  'category', ${legMarket.category}, 'payouts_ppm', ${legMarket.payoutsPpm},
  'resolved_at', ${isoText(legMarket.resolvedAt)}, 'closed', ${legMarket.closed},
  'close', newest.close::text, 'close_day', newest.day::text)`;

const PROVIDER_MARKET = sql`${leg.providerMarket} || jsonb_build_object(
  'condition_id', ${leg.providerConditionId}, 'resolved_at', ${isoText(leg.providerResolvedAt)})`;

/** The legs of a combo as JSON, in the provider's order. The newest stored day is read from the index alone. */
const LEGS = sql`coalesce((select json_agg(json_build_object('leg_index', ${leg.legIndex},
    'outcome_index', ${leg.outcomeIndex}, 'module_id', ${leg.moduleId}, 'state', ${leg.state},
    'provider_status', ${leg.providerStatus},
    'provider_market', case when ${legMarket.hydratedAt} is null then ${PROVIDER_MARKET} end,
    'own_market', case when ${legMarket.hydratedAt} is not null then ${OWN_MARKET} end) order by ${leg.legIndex})
  from ${leg} left join ${legMarket} on ${legMarket.id} = ${leg.legMarketId}
    left join ${ev} on ${ev.id} = ${legMarket.eventId}
    left join ${legOutcome} on ${legOutcome.marketId} = ${legMarket.id}
      and ${legOutcome.outcomeIndex} = ${leg.outcomeIndex}
    left join lateral (select ${d.day}, ${d.close} from ${d} where ${d.outcomeId} = ${legOutcome.id}
      order by ${d.day} desc limit 1) newest on true
  where ${leg.marketId} = ${m.id}), '[]')`;

/**
 * A `ComboRow` as JSON, of the market `m` and its row `c`. A fill may come before the row: then nothing else
 * is known.
 */
export const COMBO_JSON = sql`json_build_object('market_id', ${m.id}, 'condition_id', ${m.conditionId},
  'leg_count', ${c.legCount}, 'status', coalesce(${c.status}, 'unknown'),
  'status_reason', case when ${c.marketId} is null then 'legs_not_indexed' else ${c.statusReason} end,
  'are_legs_known', ${c.legsKnownAt} is not null, 'legs', ${LEGS})`;

/**
 * The columns of a fill that its `ComboFillRow` needs, of its ledger entry `e`. A statement that selects fills selects
 * them, so that no entry is read twice. `traded_at` is cut to the second as in combo_fills.
 */
export const FILL_COLUMNS = sql`${e.id} as entry_id, ${e.marketId}, date_trunc('second', ${e.tradedAt}) as traded_at,
  ${e.sharesMicro}, ${e.usdMicro}, ${e.traderId}, ${e.outcomeId}, ${e.txHash}, ${e.kind}, ${e.price}, ${e.feeMicro},
  ${e.tradedAt} as exact_at`;

/** A `ComboFillRow` as JSON, of selected columns `f` with the joins below. */
export const FILL_JSON = sql`json_build_object('id', f.entry_id, 'market_id', f.market_id,
  'seconds', ${epochMs(sql`f.traded_at`)} / 1000, 'block_number', ${fl.blockNumber}, 'log_index', ${fl.logIndex},
  'traded_at', ${isoText(sql`f.exact_at`)},
  'tx_hash', '0x' || encode(f.tx_hash, 'hex'), 'address', ${t.address}, 'username', ${t.username},
  'grade', ${t.grade}, 'last_traded_at', ${isoText(totals.lastAt)}, 'kind', f.kind, 'token_id', ${o.tokenId},
  'outcome_index', ${o.outcomeIndex}, 'shares_micro', f.shares_micro::text, 'usd_micro', f.usd_micro::text,
  'price', f.price::text, 'fee_micro', f.fee_micro::text)`;

export const FILL_JOINS = sql`join ${o} on ${o.id} = f.outcome_id join ${t} on ${t.id} = f.trader_id
  left join ${totals} on ${totals.traderId} = f.trader_id
  left join ${fl} on ${fl.entryId} = f.entry_id and ${IS_COMBO_LOG}`;
