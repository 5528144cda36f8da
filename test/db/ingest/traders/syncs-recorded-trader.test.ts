import { expect, test } from "vitest";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import {
  hasRecorded,
  micro,
  ONE_TRADER_ACTIVITY,
  readLines,
  RECORDED,
} from "../../../support/providers/recorded-lines.ts";
import { readStoredState } from "../../../support/ingest/stored-state.ts";
import { providerAt } from "../../../unit/providers/polymarket/provider-at-endpoint.ts";
import { anEndpoint } from "../../../unit/scripts/provider/provider-recordings.ts";
import { expectedPositions, nearest, type ExpectedEntry } from "../ledger/expected-positions.ts";

test.runIf(hasRecorded)(
  "a recorded trader of thousands of fills and two merges has the positions that its file adds up to",
  { timeout: 240_000 },
  async () => {
    const pool = (await createTestDatabase()).openPool();
    const { provider } = providerAt(await anEndpoint({ kind: "replay", dir: RECORDED, speed: "max" }));
    const rows = readLines(ONE_TRADER_ACTIVITY);
    const address: string = rows[0].proxyWallet.toLowerCase();
    await pool.query(
      "with t as (insert into traders (address, tier) values ($1, 'hot') returning id) insert into trader_syncs (trader_id) select id from t",
      [address],
    );
    await handleMessage(
      { kind: "sync_trader", address },
      { pool, provider, rowIds: new RowIdCache(), now: () => new Date() },
    );

    const { positions, traders } = await readStoredState(pool);
    expect(traders).toMatchObject([{ complete: true, gaps: [] }]);
    const figures = positions.map((p) =>
      [p["token_id"], p["shares_micro"], p["cost_micro"], p["realized_micro"], p["unmatched_shares_micro"]].join(" "),
    );
    expect(figures.sort()).toEqual(expectedFigures(rows).sort());
  },
);

/**
 * Token, shares, cost, realized profit and unmatched shares of each position, by a plain fold of the file's
 * rows.
 */
function expectedFigures(rows: readonly any[]): string[] {
  const conditions = [...new Set(rows.map((row) => row.conditionId))];
  const tokens = new Map<string, string>();
  for (const row of rows)
    if (row.type === "TRADE") tokens.set(`${conditions.indexOf(row.conditionId)} ${row.outcomeIndex}`, row.asset);
  const inOrder = rows.toSorted((a, b) =>
    a.transactionHash < b.transactionHash ? -1 : a.transactionHash > b.transactionHash ? 1 : a.size - b.size,
  );
  const moves = inOrder.flatMap((row, n): ExpectedEntry[] => {
    const shares = BigInt(micro(row.size));
    const facts = {
      n,
      wallet: 1,
      market: conditions.indexOf(row.conditionId),
      shares,
      fee: null,
      atSeconds: row.timestamp,
    };
    const merge = { ...facts, kind: "merge" as const };
    if (row.type === "MERGE")
      return [
        { ...merge, outcome: 0, usd: (shares + 1n) / 2n },
        { ...merge, outcome: 1, usd: shares / 2n },
      ];
    const usd = nearest(shares * BigInt(Math.round(row.price * 1e10)), 10_000_000_000n);
    return [{ ...facts, kind: row.side === "BUY" ? "buy" : "sell", outcome: row.outcomeIndex, usd }];
  });
  return expectedPositions(moves).map((p) =>
    [tokens.get(`${p.market} ${p.outcome}`), p.shares, p.cost, p.realized, p.unmatched].join(" "),
  );
}
