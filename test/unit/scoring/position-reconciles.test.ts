import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { multiplyMicro, parseMicro } from "../../../src/domain/money.ts";
import { compareLedgerEntries } from "../../../src/scoring/ledger-entry-order.ts";
import { applyEntry, EMPTY_POSITION, settledMicro } from "../../../src/scoring/position-fold.ts";
import { hasRecorded, readLines, RECORDED } from "../../support/providers/recorded-lines.ts";

const WALLET = "wallet-0x0afc7ce5/";

interface Fill {
  asset: string;
  side: "BUY" | "SELL";
  size: number;
  price: number;
  timestamp: number;
  transactionHash: string;
}

interface ClosedPosition {
  asset: string;
  avgPrice: number;
  totalBought: number;
  realizedPnl: number;
  /**
   * 0 or 1 once the market has resolved: the remaining shares were redeemed at this price, and the recording
   * has no rows of it.
   */
  curPrice: number;
}

describe.runIf(hasRecorded)("a recorded trader with every fill of four closed positions", () => {
  test("a fold of recorded fills realizes the provider's result of each position within its rounding", () => {
    const fills: Fill[] = readLines(`${WALLET}activity.data-api.ndjson.gz`);
    const closed: ClosedPosition[] = JSON.parse(
      readFileSync(`${RECORDED}${WALLET}closed_positions.data-api.json`, "utf8"),
    );
    expect(closed).toHaveLength(4);
    const differing = closed.filter((position) => {
      const state = foldFills(fills.filter((fill) => fill.asset === position.asset));
      const isOver = state.sharesMicro === 0n || position.curPrice === 1 || position.curPrice === 0;
      const realizedMicro =
        state.realizedMicro + settledMicro(state, state.sharesMicro === 0n ? 0 : position.curPrice * 1_000_000);
      // The provider's average price has four decimals: half a unit of the fourth on every share bought.
      const tolerance = position.totalBought * 0.00005 + 0.01;
      const realizedFits = Math.abs(Number(realizedMicro) / 1e6 - position.realizedPnl) <= tolerance;
      const boughtFits = Math.abs(Number(state.boughtSharesMicro) / 1e6 - position.totalBought) < 0.005;
      return !(isOver && realizedFits && boughtFits);
    });
    expect(differing).toEqual([]);
  });
});

function foldFills(fills: readonly Fill[]) {
  return fills
    .map((fill) => {
      const sharesMicro = required(parseMicro(fill.size));
      return {
        kind: fill.side === "BUY" ? ("buy" as const) : ("sell" as const),
        sharesMicro,
        usdMicro: required(multiplyMicro(sharesMicro, fill.price)),
        feeMicro: null,
        tradedAtMs: fill.timestamp * 1000,
        txHash: fill.transactionHash,
        ordinal: 0,
      };
    })
    .toSorted(compareLedgerEntries)
    .reduce((state, movement) => applyEntry(state, movement).state, EMPTY_POSITION);
}

function required(value: bigint | null): bigint {
  if (value === null) throw new Error("a recorded number is not a decimal");
  return value;
}
