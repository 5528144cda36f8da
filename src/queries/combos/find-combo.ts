import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, m } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { comboEvents } from "../../db/schema.ts";
import { alias, bigintText, integer, isoText, selectRow, timestamp } from "../../db/sql.ts";
import { ComboCoverageRow, coverageJson } from "./combo-coverage.ts";
import { c, COMBO_JSON, ComboFillRow, FILL_COLUMNS, ComboRow, f, FILL_JOINS, FILL_JSON } from "./combo-rows.ts";
import { DAY_MS } from "../../scoring/utc-calendar.ts";

const FillSums = z.object({
  fills: integer,
  /** Null without fills. */
  usd_micro: bigintText.nullable(),
  largest_micro: bigintText.nullable(),
  traders: integer,
  first_at: z.string().nullable(),
});

/** Sums over recorded events; a sum is null when an event's amount is unknown. */
const LifecycleRow = z.object({
  splits: integer,
  merges: integer,
  redeems: integer,
  compresses: integer,
  split_micro: bigintText.nullable(),
  merge_micro: bigintText.nullable(),
  redeemed_shares_micro: bigintText.nullable(),
  redeemed_micro: bigintText.nullable(),
  compressed_micro: bigintText.nullable(),
  /** Null without events. */
  last_event_at: z.string().nullable(),
});

export type ComboFillSums = z.output<typeof FillSums>;
export type ComboLifecycleRow = z.output<typeof LifecycleRow>;

const Row = z.object({
  coverage: ComboCoverageRow,
  combo: ComboRow,
  /** Takers' fills of the last 24 hours. */
  day: FillSums,
  /** All takers' fills. */
  all: FillSums,
  lifecycle: LifecycleRow,
  /** Takers' fills, newest first. */
  fills: z.array(ComboFillRow),
});

const x = alias(comboEvents, "x");

/** The sums of `taken`, takers' fills of the combo, as JSON, not before a time. */
const sumsJson = (since: Date | null) =>
  sql`(select jsonb_build_object('fills', count(*), 'usd_micro', sum(usd_micro)::text,
      'largest_micro', max(usd_micro)::text, 'traders', count(distinct trader_id),
      'first_at', ${isoText(sql`min(exact_at)`)})
    from taken ${since === null ? sql`` : sql`where traded_at >= ${timestamp(since)}`})`;

const countOf = (kind: string) => sql`count(*) filter (where ${x.kind} = ${kind})`;

/** 0 without events of the kind; null when one of them has no amount. */
const sumOf = (kind: string, amount: typeof x.amountMicro | typeof x.payoutMicro | typeof x.sharesMicro) =>
  sql`case when count(*) filter (where ${x.kind} = ${kind} and ${amount} is null) = 0
    then coalesce(sum(${amount}) filter (where ${x.kind} = ${kind}), 0)::text end`;

const LIFECYCLE = sql`(select jsonb_build_object('splits', ${countOf("split")}, 'merges', ${countOf("merge")},
    'redeems', ${countOf("redeem")}, 'compresses', ${countOf("compress")},
    'split_micro', ${sumOf("split", x.amountMicro)}, 'merge_micro', ${sumOf("merge", x.amountMicro)},
    'redeemed_shares_micro', ${sumOf("redeem", x.sharesMicro)}, 'redeemed_micro', ${sumOf("redeem", x.payoutMicro)},
    'compressed_micro', ${sumOf("compress", x.amountMicro)}, 'last_event_at', ${isoText(sql`max(${x.happenedAt})`)})
  from ${x} where ${x.marketId} = ${m.id})`;

/**
 * One combo with its newest fills.
 *
 * @param conditionId in the stored form
 * @returns null when no combination of markets with this id is known
 */
export const findCombo = (
  db: Database,
  conditionId: string,
  fills: number,
  now: Date,
): Promise<z.output<typeof Row> | null> =>
  selectRow(
    db,
    // Of the ledger alone: the sums need the trader, which combo_fills does not have.
    sql`with taken as materialized (
        select ${FILL_COLUMNS}
        from ${m} join ${e} on ${e.marketId} = ${m.id}
        where ${m.conditionId} = ${conditionId} and ${e.role} = 'taker' and ${e.kind} in ('buy', 'sell'))
      select ${coverageJson(now)} as coverage, ${COMBO_JSON} as combo,
        ${sumsJson(new Date(now.getTime() - DAY_MS))} as day, ${sumsJson(null)} as all, ${LIFECYCLE} as lifecycle,
        coalesce((select json_agg(${FILL_JSON} order by ${f.tradedAt} desc, ${f.entryId} desc) from (
          select * from taken order by traded_at desc, entry_id desc limit ${fills}) f ${FILL_JOINS}), '[]') as fills
      from ${m} left join ${c} on ${c.marketId} = ${m.id}
      where ${m.conditionId} = ${conditionId} and ${isCombinationSql(m.conditionId)}`,
    Row,
  );
