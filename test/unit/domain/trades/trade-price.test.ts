import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tradePrice } from "../../../../src/domain/trades/trade-price.ts";
import { hasRecorded, readLines } from "../../../support/providers/recorded-lines.ts";

test.for<[usd: bigint, shares: bigint, printed: string, price: string]>([
  // Recorded: dollars truncated to a millionth, and prices printed as quotients.
  [8_698_630n, 13_698_629n, "0.6350000427", "0.635"],
  [102_189_998n, 102_292_291n, "0.9989999931", "0.999"],
  [299_999_999n, 2_142_857_141n, "0.1399999997", "0.14"],
  [2_693_103n, 3_793_102n, "0.7100001529091493", "0.71"],
  // An order filled at several prices has no tick: dollars divided by shares.
  [12_701_077_100n, 20_434_140_000n, "0.621561617", "0.621562"],
  [1_999_999_999n, 5_543_647_026n, "0.3607733302", "0.360773"],
  // A millionth of a dollar above or below a tick counts as that tick; two millionths do not.
  [7_501n, 10_000n, "0.7501", "0.7501"],
  [75_002n, 100_000n, "0.75002", "0.75002"],
  [75_001n, 100_000n, "0.75001", "0.75"],
  [1_000_000n, 1_000_000n, "1", "1"],
  [0n, 5_000_000n, "0", "0"],
  [0n, 0n, "0.5", "0.5"],
])(
  "a trade of %s micro-dollars for %s micro-shares, printed as %s, has the price %s",
  ([usdMicro, sharesMicro, printed, price]) => {
    expect(tradePrice({ usdMicro, sharesMicro, price: printed })).toBe(price);
  },
);

test("an order at a tick shows the tick, whatever the chain truncates", () => {
  const tick = fc.integer({ min: 1, max: 9_999 });
  // From one share on, a tick is more than the truncation.
  const shares = fc.bigInt(1_000_000n, 10_000_000_000_000n);
  fc.assert(
    fc.property(tick, shares, (ticks, sharesMicro) => {
      const usdMicro = (BigInt(ticks) * sharesMicro) / 10_000n;
      expect(tradePrice({ usdMicro, sharesMicro, price: "?" })).toBe(String(ticks / 10_000));
    }),
  );
});

describe.runIf(hasRecorded)("recorded trades", () => {
  test.for([
    ["trades/nobel-2025.data-api-trades.ndjson.gz", 1_500],
    ["trades/gabagool22.data-api-activity.ndjson.gz", 3_085],
    ["wallet-0x0afc7ce5/activity.data-api.ndjson.gz", 48],
  ] as const)(
    "in recorded trades of %s no price moves by more than the truncated millionth of its dollars",
    ([file, trades]) => {
      const rows = readLines(file).filter((row) => row.type === undefined || row.type === "TRADE");
      expect(rows).toHaveLength(trades);
      const moved = rows.filter((row) => {
        const sharesMicro = BigInt(Math.round(row.size * 1e6));
        const usdMicro = BigInt(Math.round(row.size * row.price * 1e6));
        const shown = Number(tradePrice({ usdMicro, sharesMicro, price: String(row.price) }));
        // Half a unit of the sixth decimal, or a shift of the product by a millionth plus the half of its
        // rounding.
        return Math.abs(shown - row.price) > Math.max(0.5e-6, 1.5e-6 / row.size) + 1e-12;
      });
      expect(moved).toEqual([]);
    },
  );
});
