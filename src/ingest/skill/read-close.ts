import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, m, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isPriced, newestFillFirst } from "../../db/fragments/priced-fills.ts";
import { skillCloses } from "../../db/schema.ts";
import { columnName, columnNames, excluded, integer, run, selectRows, setEach } from "../../db/sql.ts";
import { sha256, toHex } from "../../lib/crypto/hmac.ts";
import type { ClosingTrade } from "../../scoring/skill/closing-price.ts";
import { CLOSE_TRADES, CLOSE_WINDOW_SECONDS } from "../../scoring/skill/parameters.ts";

/** The close of a game's market: its kickoff, and the last sides of trades before it. */
export interface MarketClose {
  /** ISO, by the database. */
  readonly at: string;
  /** Newest first. Transactions in hex. */
  readonly trades: readonly ClosingTrade<string>[];
}

const TradeRow = z.object({ at: z.string(), trader_id: integer, transaction: z.string(), price: z.number() });

/**
 * The close of a market with two outcomes and a known kickoff. Other markets trade until their result is known, so their
 * last prices are the result. The kickoff is the scheduled one: where a game starts later, the close is an earlier price
 * than it could be; a result from before the kickoff shows that the kickoff is wrong.
 *
 * @returns null where there is no such trade within the window before it
 */
export async function readClose(session: Session, marketId: string): Promise<MarketClose | null> {
  const rows = await selectRows(
    session,
    sql`select ${m.gameStartAt}::text as at, ${e.traderId}, encode(${e.txHash}, 'hex') as transaction,
       (case ${o.outcomeIndex} when 0 then ${e.price} else 1 - ${e.price} end)::float8 as price
     from ${m}
     join ${e} on ${e.marketId} = ${m.id} and ${e.tradedAt} < ${m.gameStartAt}
       and ${e.tradedAt} >= ${m.gameStartAt} - make_interval(secs => ${CLOSE_WINDOW_SECONDS})
     join ${o} on ${o.id} = ${e.outcomeId} and ${o.outcomeIndex} in (0, 1)
     where ${m.id} = ${marketId} and cardinality(${m.payoutsPpm}) = 2 and ${isPriced(e)}
       and (${m.resolvedAt} is null or ${m.gameStartAt} < ${m.resolvedAt})
     order by ${newestFillFirst(e)}, ${e.sharesMicro} desc, ${e.id} limit ${CLOSE_TRADES}`,
    TradeRow,
  );
  const [first] = rows;
  if (first === undefined) return null;
  const trades = rows.map(({ transaction, trader_id: trader, price }) => ({ transaction, trader, price }));
  return { at: first.at, trades };
}

/** Equal for equal closes. */
export const digestOfClose = async ({ at, trades }: MarketClose): Promise<string> =>
  toHex(
    await sha256(JSON.stringify([at, trades.map(({ transaction, trader, price }) => [transaction, trader, price])])),
  );

/** Records the close that all bets of a market were scored with. */
export async function storeClose(session: Session, marketId: string, digest: string | null): Promise<void> {
  const { marketId: market, digest: stored } = skillCloses;
  await run(
    session,
    digest === null
      ? sql`delete from ${skillCloses} where ${market} = ${marketId}`
      : sql`insert into ${skillCloses} (${columnNames(market, stored)}) values (${marketId}, ${digest})
         on conflict (${columnName(market)}) do update set ${setEach([stored], excluded)}`,
  );
}
