/**
 * A fingerprint of every table of facts, row by row and in no order, named by the provider's ids in place of ours: two databases that were
 * told the same in different ways have the same. 64 bits a row, summed, so it takes no memory.
 */
export async function digestTables(client: {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
}): Promise<Readonly<Record<string, string>>> {
  const digests: Record<string, string> = {};
  for (const [table, { columns, from }] of Object.entries(TABLES)) {
    const { rows } = await client.query(
      `select count(*)::text || ' rows, ' || coalesce(sum(hashtextextended(row(${columns})::text, 0)::numeric), 0)::text as digest from ${from}`,
    );
    digests[table] = String(rows[0]?.["digest"]);
  }
  return digests;
}

const OF_TRADER = "join traders t on t.id = x.trader_id";
const OF_OUTCOME = `${OF_TRADER} join outcomes o on o.id = x.outcome_id join markets m on m.id = x.market_id`;

const TABLES: Readonly<Record<string, { columns: string; from: string }>> = {
  ledger_entries: {
    columns: `x.tx_hash, t.address, o.token_id, m.condition_id, x.kind, x.shares_micro, x.ordinal, x.usd_micro, x.fee_micro, x.price, x.role,
      extract(epoch from x.traded_at), x.realized_micro`,
    from: `ledger_entries x ${OF_OUTCOME}`,
  },
  positions: {
    columns: `t.address, o.token_id, m.condition_id, x.shares_micro, x.cost_micro, x.realized_micro, x.settled_micro, x.bought_shares_micro,
      x.bought_usd_micro, x.sold_shares_micro, x.sold_usd_micro, x.fees_micro, x.unmatched_shares_micro, x.unmatched_usd_micro, x.entry_count,
      extract(epoch from x.first_at), extract(epoch from x.last_at), x.value_micro`,
    from: `positions x ${OF_OUTCOME}`,
  },
  trader_totals: {
    columns: `t.address, x.realized_micro, x.settled_micro, x.volume_micro, x.fees_micro, x.rebates_micro, x.rewards_micro, x.entry_count,
      extract(epoch from x.first_at), extract(epoch from x.last_at), x.markets_traded, x.markets_resolved, x.markets_won, x.markets_decided,
      x.unmatched_positions, x.unmatched_usd_micro, x.combination_markets, x.combination_volume_micro`,
    from: `trader_totals x ${OF_TRADER}`,
  },
  trader_days: {
    columns: `t.address, x.day, x.realized_micro, x.settled_micro, x.volume_micro, x.fees_micro, x.rebates_micro, x.rewards_micro, x.entry_count`,
    from: `trader_days x ${OF_TRADER}`,
  },
  wallet_activity: {
    columns: `x.tx_hash, t.address, x.type, x.condition_id, x.token_id, x.shares_micro, x.ordinal, x.usd_micro, extract(epoch from x.happened_at)`,
    from: `wallet_activity x ${OF_TRADER}`,
  },
  large_trades: {
    columns: `e.tx_hash, e.ordinal, t.address, o.token_id, m.condition_id, x.side, x.size_usd_micro, x.shares_micro, x.price,
      extract(epoch from x.traded_at), x.category, x.review_score`,
    from: `large_trades x join ledger_entries e on e.id = x.entry_id ${OF_OUTCOME}`,
  },
  markets: {
    columns: `x.condition_id, x.title, x.resolution_status, x.payouts_ppm, x.settled_on, extract(epoch from x.resolved_at), x.large_trade_count,
      x.large_trade_usd_micro, extract(epoch from x.large_trade_last_at)`,
    from: "markets x",
  },
  outcomes: {
    columns: "x.token_id, m.condition_id, x.outcome_index, x.label",
    from: "outcomes x join markets m on m.id = x.market_id",
  },
  traders: {
    columns: "x.address, x.username, x.tier, s.trader_id is not null",
    from: "traders x left join wallet_syncs s on s.trader_id = x.id",
  },
};
