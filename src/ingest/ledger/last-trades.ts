import type { Session } from "../../db/client.ts";
import { isPriced, newestFillFirst } from "../../db/priced-fills.ts";
import { toBytea, type Entry } from "./entry.ts";

/** SQL expressions of a trade. `tx` is null where the provider has given only a last price. */
export interface TradeColumns {
  readonly price: string;
  readonly at: string;
  readonly tx: string;
}

/**
 * SQL: whether a trade is newer than the last one that an outcome has, in the order of fills. A last price that the provider gave has no
 * transaction and comes before every fill of its instant: it replaces a fill only where it is strictly newer.
 */
export const isNewerTrade = ({ price, at, tx }: TradeColumns, outcome: string): string =>
  `(${price} is not null and (${outcome}.last_trade_at is null or (${at}, coalesce(${tx}, ''::bytea), ${price})
    > (${outcome}.last_trade_at, coalesce(${outcome}.last_trade_tx, ''::bytea), ${outcome}.last_trade_price)))`;

/** Brings the last trades of outcomes up to date with entries, in whatever order they come. */
export async function writeLastTrades(session: Session, entries: readonly Entry[]): Promise<void> {
  const fills = entries.filter(({ kind }) => kind === "buy" || kind === "sell");
  if (fills.length === 0) return;
  await session.query(
    `with newest as (
       select distinct on (f.outcome_id) f.*
       from (
         select outcome_id, kind, shares_micro, price, tx_hash, to_timestamp(traded_ms / 1000) as traded_at
         from unnest($1::bigint[], $2::text[], $3::bigint[], $4::numeric[], $5::bytea[], $6::float8[])
           as t(outcome_id, kind, shares_micro, price, tx_hash, traded_ms)
       ) f
       where ${isPriced("f")} order by f.outcome_id, ${newestFillFirst("f")}
     )
     update outcomes o set last_trade_price = n.price, last_trade_at = n.traded_at, last_trade_tx = n.tx_hash
     from newest n where o.id = n.outcome_id and ${isNewerTrade({ price: "n.price", at: "n.traded_at", tx: "n.tx_hash" }, "o")}`,
    [
      fills.map(({ outcomeId }) => outcomeId),
      fills.map(({ kind }) => kind),
      fills.map(({ sharesMicro }) => String(sharesMicro)),
      fills.map(({ price }) => price),
      fills.map(({ txHash }) => toBytea(txHash)),
      fills.map(({ tradedAtMs }) => tradedAtMs),
    ],
  );
}
