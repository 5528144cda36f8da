import { sql } from "drizzle-orm";
import { resolveWalletNames, type WalletName } from "../wallet-names.ts";
import {
  behind,
  CANDIDATE,
  IS_WHOLE,
  NAMED,
  ofGrades,
  POSITION_ORDER,
  UNSETTLED,
  valued,
  type PositionFilters,
  type PositionPlace,
} from "./filters.ts";
import type { ListForm } from "./list-form.ts";
import { market, outcome } from "./look-ups.ts";
import { outcomesOf } from "./one-market.ts";
import { heldBy, unlistable } from "./unlisted.ts";

/** Of a list of wallets, whose form has the names in `named`: the first of them, counted from 0, that nobody has. */
export const UNKNOWN_WALLET = sql`(select min(place) - 1 from named where trader_id is null)`;
/** Whether somebody has each of those names. */
export const ALL_KNOWN = sql`not exists (select from named where trader_id is null)`;

/** The list of named wallets, whether their holdings are known or not. */
export function walletsForm(filters: PositionFilters, wallets: readonly WalletName[]): ListForm {
  const { category, grades, outcomeIndex } = filters;
  // All that a wallet holds comes off the index by value; what it holds of a market are two rows by their key.
  const [found, listed, isHeld] =
    filters.market === null
      ? [sql``, sql`${outcome(outcomeIndex)} ${market(category)}`, sql`p.trader_id = t.trader_id`]
      : [sql`${outcomesOf(filters.market, filters)} cross join`, sql``, sql`p.trader_id = t.trader_id and p.outcome_id = o.id`];
  const held = (place: PositionPlace | null) => sql`${isHeld} and ${UNSETTLED} and ${valued(filters, place)}`;
  const { joined, where } = unlistable(filters);
  return {
    listed,
    unlisted: sql`select p.cost_micro, exists (select from wallet_syncs s where s.trader_id = t.trader_id and ${IS_WHOLE}) as is_known
      from wanted t cross join lateral ${heldBy(sql`t.trader_id`, filters.market)} p ${joined} where ${where}`,
    candidates: (rows) => sql`select p.* from wanted t cross join lateral (
      select ${CANDIDATE} from ${found} positions p where ${held(null)} offset 0) p limit ${rows}`,
    passing: (place, rows) => sql`
      named as materialized (${resolveWalletNames(wallets)}),
      wanted as materialized (
        select t.* from (select distinct trader_id from named where trader_id is not null) w
        cross join lateral (select t.id as trader_id, t.address from traders t where t.id = w.trader_id and ${ofGrades(grades)} offset 0) t
      ), passing as (
        select of_one.* from wanted t cross join lateral (
          select ${NAMED} from ${found} positions p ${listed} where ${held(place)} and ${behind(place)} order by ${POSITION_ORDER} limit ${rows}
        ) of_one
      )`,
  };
}
