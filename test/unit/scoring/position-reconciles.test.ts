import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { multiplyMicro, parseMicro } from "../../../src/domain/money.ts";
import { compareMovements } from "../../../src/scoring/movement-order.ts";
import { applyMovement, EMPTY_POSITION, settledMicro } from "../../../src/scoring/position.ts";

const recorded = new URL("../../../../shared/data/wallet-0x0afc7ce5/", import.meta.url);

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
  /** 0 or 1 once the market has resolved: what was still held was redeemed at that, and the recording has no rows of it. */
  curPrice: number;
}

describe.runIf(existsSync(recorded))("a recorded wallet with every fill of four closed positions", () => {
  const fills = gunzipSync(readFileSync(new URL("activity.data-api.ndjson.gz", recorded)))
    .toString()
    .trim()
    .split("\n")
    .map((line): Fill => JSON.parse(line));
  const closed: ClosedPosition[] = JSON.parse(readFileSync(new URL("closed_positions.data-api.json", recorded), "utf8"));

  test.each(closed.map((position) => [position.asset, position] as const))(
    "realizes what the provider reports for %s, within its rounding",
    (asset, position) => {
      const movements = fills
        .filter((fill) => fill.asset === asset)
        .map((fill) => {
          const sharesMicro = micro(fill.size);
          return {
            kind: fill.side === "BUY" ? ("buy" as const) : ("sell" as const),
            sharesMicro,
            usdMicro: known(multiplyMicro(sharesMicro, fill.price)),
            feeMicro: null,
            tradedAtMs: fill.timestamp * 1000,
            txHash: fill.transactionHash,
            ordinal: 0,
          };
        })
        .sort(compareMovements);
      const state = movements.reduce((at, movement) => applyMovement(at, movement).state, EMPTY_POSITION);
      // The provider's average price has four decimals: half a unit of that on every share bought.
      const tolerance = position.totalBought * 0.00005 + 0.01;
      const realizedMicro = state.realizedMicro + settledMicro(state, state.sharesMicro === 0n ? 0 : position.curPrice * 1_000_000);
      expect(state.sharesMicro === 0n || position.curPrice === 1 || position.curPrice === 0).toBe(true);
      expect(Math.abs(Number(realizedMicro) / 1e6 - position.realizedPnl)).toBeLessThanOrEqual(tolerance);
      expect(Number(state.boughtSharesMicro) / 1e6).toBeCloseTo(position.totalBought, 2);
    },
  );
});

function micro(value: number): bigint {
  return known(parseMicro(value));
}

function known(value: bigint | null): bigint {
  if (value === null) throw new Error("a recorded figure is no decimal");
  return value;
}
