import type pg from "pg";
import { findPopulation } from "../../../src/ingest/skill/populations.ts";
import { evidenceOf } from "../../../src/scoring/skill/evidence.ts";
import { gradeOf, type Grade } from "../../../src/scoring/skill/grade.ts";
import { foldWallet, type FoldedWallet } from "../../recompute/fold-wallet.ts";
import { readWallets } from "../../recompute/read-wallets.ts";

/** Positions, totals, days and grade of one wallet from its recorded fills alone, and nothing that is kept by differences. */
export async function recomputeWallet(client: pg.Client, traderId: string): Promise<{ folded: FoldedWallet; grade: Grade }> {
  const { wallets, outcomes } = await readWallets(client, { after: String(BigInt(traderId) - 1n), upTo: traderId });
  const [wallet] = wallets;
  if (wallet === undefined) throw new Error(`wallet ${traderId} has no fills`);
  const { rows } = await client.query<{ cluster: string; price: string; usd_micro: string; payout_ppm: number }>(
    `select coalesce(m.event_id, -m.id)::text as cluster, e.price::text as price, e.usd_micro, m.payouts_ppm[o.outcome_index + 1] as payout_ppm
     from ledger_entries e join outcomes o on o.id = e.outcome_id join markets m on m.id = o.market_id
     where e.trader_id = $1 and e.kind = 'buy' and m.payouts_ppm[o.outcome_index + 1] is not null`,
    [traderId],
  );
  const bets = rows.map((row) => ({
    cluster: row.cluster,
    price: Number(row.price),
    usd: Number(row.usd_micro) / 1e6,
    payout: row.payout_ppm / 1e6,
  }));
  const population = (await findPopulation(client))?.population ?? null;
  return { folded: foldWallet(wallet.facts, outcomes), grade: gradeOf(evidenceOf(bets), population) };
}
