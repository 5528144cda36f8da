import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { isHistoryKnown, isOrdinary, leftOut } from "../db/completeness.ts";
import { LeftOut } from "../domain/wallet-completeness.ts";
import { joinProfile } from "./profiles.ts";
import { big, count } from "./rows.ts";

/** A wallet that holds more positions than this has no figure that would need all of them: a list must not read them for every row. */
const MOST_POSITIONS = 1_000;

const WalletFigures = z.object({
  /** Settled markets with a profit, and with any profit or loss; null without a profile that may be served. */
  won: count.nullable(),
  decided: count.nullable(),
  /** Everything made so far, held shares at their value; null while one of them has no price, and above MOST_POSITIONS held ones. */
  net_micro: big.nullable(),
  /** Markets it ever held shares in. */
  markets: count,
  /** What `net_micro`, `won` and `decided` leave out. */
  left_out: LeftOut,
});

/** What lists show of a wallet beside its name; null where its history in ordinary markets is not known: every figure would be of some part. */
export const WALLET_FIGURES = { figures: WalletFigures.nullable() };

export type WalletFigures = z.output<typeof WalletFigures>;

/**
 * The figures of each wallet that `rows` (with a column trader_id) names, read once a wallet: columns `trader_id` and `figures`. Wallets whose
 * history in ordinary markets is not known have no row.
 *
 * The fences ("offset 0") make each join a look-up, whatever Postgres expects: tables are not read whole for a page, and there is no order of
 * joins to plan.
 */
export const selectWalletFigures = (rows: SQL, now: Date): SQL => sql`
  select w.trader_id, jsonb_build_object(
    'won', (tp.record ->> 'wins')::int, 'decided', (tp.record ->> 'decided')::int,
    'markets', coalesce(tt.markets_traded, 0), 'net_micro', (tt.net_micro + held.unrealized_micro)::bigint::text,
    'left_out', ${sql.raw(leftOut("tt"))}) as figures
  from (select distinct trader_id from ${rows} named) w
  cross join lateral (
    select from wallet_syncs s where s.trader_id = w.trader_id and ${sql.raw(isHistoryKnown("s"))} offset 0
  ) whole
  left join lateral (
    select *, realized_micro + settled_micro - fees_micro + rebates_micro as net_micro
    from trader_totals where trader_id = w.trader_id offset 0
  ) tt on true
  left join lateral (
    -- A profile is long: what is needed of it is taken out once.
    select tp.profile -> 'record' as record from (select) one ${joinProfile(sql`w.trader_id`, now)} offset 0
  ) tp on true
  cross join lateral (
    select case when count(*) <= ${MOST_POSITIONS} and count(*) = count(value_micro) then coalesce(sum(value_micro - cost_micro), 0) end
      as unrealized_micro
    from (
      select value_micro, cost_micro from positions p
      where trader_id = w.trader_id and settled_micro is null and shares_micro > 0 and ${sql.raw(isOrdinary("p", "tt"))} limit ${MOST_POSITIONS + 1}
    ) few
  ) held`;
