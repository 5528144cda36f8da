import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, ev, m, o, t, totals } from "../../db/aliases.ts";
import { comboFills, comboLegs, combos, markets, outcomeDays, outcomes } from "../../db/schema.ts";
import { alias, bigintText, epochMs, integer, isoText } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";

export const f = alias(comboFills, "f");
export const c = alias(combos, "c");
export const leg = alias(comboLegs, "leg");
export const legMarket = alias(markets, "leg_market");
const legOutcome = alias(outcomes, "leg_outcome");
const d = alias(outcomeDays, "d");

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
  provider_condition_id: z.string(),
  provider_status: text,
  provider_resolved_at: text,
  provider_market: ProviderLegMarket,
  /** Null while the market's row or its description is missing. */
  own_market: OwnLegMarket.nullable(),
});

export type ComboLegRow = z.output<typeof ComboLegRow>;

export const ComboRow = z.object({
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
  /** The second of the fill, which orders the list before the id. */
  seconds: integer,
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
  combo: ComboRow,
});

export type ComboFillRow = z.output<typeof ComboFillRow>;

/** The newest stored day of the leg's outcome, from the index alone. */
const newestDay = (column: SQL): SQL =>
  sql`(select ${column} from ${d} where ${d.outcomeId} = ${legOutcome.id} order by ${d.day} desc limit 1)`;

const OWN_MARKET = sql`case when ${legMarket.hydratedAt} is not null then jsonb_build_object(
  'condition_id', ${legMarket.conditionId}, 'title', ${legMarket.title}, 'slug', ${legMarket.slug},
  'event_slug', ${ev.slug}, 'outcome_label', ${legOutcome.label}, 'image', ${legMarket.image},
  'category', ${legMarket.category}, 'payouts_ppm', ${legMarket.payoutsPpm},
  'resolved_at', ${isoText(legMarket.resolvedAt)}, 'closed', ${legMarket.closed},
  'close', ${newestDay(sql`${d.close}::text`)}, 'close_day', ${newestDay(sql`${d.day}::text`)}) end`;

/** The legs of a combo as JSON, in the provider's order. */
const LEGS = sql`coalesce((select jsonb_agg(jsonb_build_object('leg_index', ${leg.legIndex},
    'outcome_index', ${leg.outcomeIndex}, 'module_id', ${leg.moduleId}, 'state', ${leg.state},
    'provider_condition_id', ${leg.providerConditionId}, 'provider_status', ${leg.providerStatus},
    'provider_resolved_at', ${isoText(leg.providerResolvedAt)}, 'provider_market', ${leg.providerMarket},
    'own_market', ${OWN_MARKET}) order by ${leg.legIndex})
  from ${leg} left join ${legMarket} on ${legMarket.id} = ${leg.legMarketId}
    left join ${ev} on ${ev.id} = ${legMarket.eventId}
    left join ${legOutcome} on ${legOutcome.marketId} = ${legMarket.id}
      and ${legOutcome.outcomeIndex} = ${leg.outcomeIndex}
  where ${leg.marketId} = ${m.id}), '[]')`;

/**
 * A `ComboRow` as JSON, of the market `m` and its row `c`. A fill may come before the row: then nothing else
 * is known.
 */
export const COMBO_JSON = sql`jsonb_build_object('condition_id', ${m.conditionId}, 'leg_count', ${c.legCount},
  'status', coalesce(${c.status}, 'unknown'),
  'status_reason', case when ${c.marketId} is null then 'legs_not_indexed' else ${c.statusReason} end,
  'are_legs_known', ${c.legsKnownAt} is not null, 'legs', ${LEGS})`;

/** A `ComboFillRow` as JSON, of a row of combo_fills `f` with the joins below. */
export const FILL_JSON = sql`jsonb_build_object('id', ${e.id}, 'seconds', ${epochMs(f.tradedAt)} / 1000,
  'traded_at', ${isoText(e.tradedAt)}, 'tx_hash', '0x' || encode(${e.txHash}, 'hex'),
  'address', ${t.address}, 'username', ${t.username}, 'grade', ${t.grade},
  'last_traded_at', ${isoText(totals.lastAt)}, 'kind', ${e.kind}, 'token_id', ${o.tokenId},
  'outcome_index', ${o.outcomeIndex}, 'shares_micro', ${e.sharesMicro}::text, 'usd_micro', ${e.usdMicro}::text,
  'price', ${e.price}::text, 'fee_micro', ${e.feeMicro}::text, 'combo', ${COMBO_JSON})`;

export const FILL_JOINS = sql`join ${e} on ${e.id} = ${f.entryId} join ${m} on ${m.id} = ${f.marketId}
  join ${o} on ${o.id} = ${e.outcomeId} join ${t} on ${t.id} = ${e.traderId}
  left join ${totals} on ${totals.traderId} = ${e.traderId} left join ${c} on ${c.marketId} = ${f.marketId}`;
