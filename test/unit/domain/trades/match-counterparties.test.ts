import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchCounterparties, type TransactionFill } from "../../../../src/domain/trades/match-counterparties.ts";

/** By default the taker buys a hundred YES shares at 0.60. */
const taker = (facts: Partial<TransactionFill> = {}): TransactionFill => ({
  wallet: "0xtaker",
  tokenId: "yes",
  side: "BUY",
  sharesMicro: 100_000_000n,
  usdMicro: 60_000_000n,
  isTaker: true,
  ...facts,
});
const maker = (wallet: string, facts: Partial<TransactionFill> = {}): TransactionFill => ({
  ...taker({ wallet, side: "SELL", isTaker: false }),
  ...facts,
});
const reasonOf = (fills: readonly TransactionFill[], isBinary = true) => {
  const match = matchCounterparties(fills, isBinary);
  return match.status === "unavailable" ? match.reason : null;
};

test("a buy is matched with sellers of the token and buyers of the other token, one entry per maker", () => {
  const fills = [
    maker("0xb", { sharesMicro: 20_000_000n, usdMicro: 12_000_000n }),
    maker("0xa", { tokenId: "no", side: "BUY", sharesMicro: 50_000_000n, usdMicro: 20_000_000n }),
    taker(),
    maker("0xb", { tokenId: "no", side: "BUY", sharesMicro: 29_999_999n, usdMicro: 12_000_000n }),
    maker("0xb", { sharesMicro: 1n, usdMicro: 1n }),
  ];
  expect(matchCounterparties(fills, true)).toEqual({
    status: "available",
    taker: {
      wallet: "0xtaker",
      makerFillCount: 4,
      filledSharesMicro: 100_000_000n,
      filledUsdMicro: 60_000_000n,
      sharePct: "100.000000",
      matches: [
        { matchType: "COMPLEMENTARY", makerFillCount: 2, filledSharesMicro: 20_000_001n },
        { matchType: "MINT", makerFillCount: 2, filledSharesMicro: 79_999_999n },
      ],
    },
    makers: [
      {
        wallet: "0xa",
        makerFillCount: 1,
        filledSharesMicro: 50_000_000n,
        filledUsdMicro: 20_000_000n,
        sharePct: "50.000000",
        matches: [{ matchType: "MINT", makerFillCount: 1, filledSharesMicro: 50_000_000n }],
      },
      {
        wallet: "0xb",
        makerFillCount: 3,
        filledSharesMicro: 50_000_000n,
        filledUsdMicro: 24_000_001n,
        sharePct: "50.000000",
        matches: [
          { matchType: "COMPLEMENTARY", makerFillCount: 2, filledSharesMicro: 20_000_001n },
          { matchType: "MINT", makerFillCount: 1, filledSharesMicro: 29_999_999n },
        ],
      },
    ],
  });
});

test("a sell that is matched with sellers of the other token merges the pair", () => {
  const match = matchCounterparties([taker({ side: "SELL" }), maker("0xa", { tokenId: "no" })], true);
  expect(match).toMatchObject({ status: "available", makers: [{ matches: [{ matchType: "MERGE" }] }] });
});

describe("transactions without a match", () => {
  test.each<[string, readonly TransactionFill[], string]>([
    ["without a recorded taker", [maker("0xa")], "no_taker_fill"],
    ["with several taker orders", [taker(), taker({ wallet: "0xother" }), maker("0xa")], "several_taker_orders"],
    ["without a recorded maker", [taker()], "no_maker_fills"],
    [
      "with a millionth of a share missing",
      [taker(), maker("0xa", { sharesMicro: 99_999_999n })],
      "missing_maker_fills",
    ],
    [
      "with a millionth of a share too much",
      [taker(), maker("0xa", { sharesMicro: 100_000_001n })],
      "surplus_maker_fills",
    ],
    ["with a maker fill on the taker's own side", [taker(), maker("0xa", { side: "BUY" })], "unmatchable_fill"],
    [
      "with a maker fill on the other side of the other token",
      [taker(), maker("0xa", { tokenId: "no" })],
      "unmatchable_fill",
    ],
    ["of no shares", [taker({ sharesMicro: 0n }), maker("0xa", { sharesMicro: 0n })], "no_maker_fills"],
  ])("a transaction %s has no counterparties", (_, fills, reason) => {
    expect(reasonOf(fills)).toBe(reason);
  });

  test("a fill of another token has no match in a market of more than two outcomes", () => {
    const fills = [taker(), maker("0xa", { tokenId: "no", side: "BUY" })];
    expect([reasonOf(fills, true), reasonOf(fills, false)]).toEqual([null, "unmatchable_fill"]);
  });
});

test("the parts of any makers add up to the whole, independent of the order of fills", () => {
  const anyMakers = fc.array(
    fc.record({
      wallet: fc.constantFrom("0xa", "0xb", "0xc"),
      sharesMicro: fc.bigInt(1n, 2n ** 62n),
      mints: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(anyMakers, (generated) => {
      const makers = generated.map(({ wallet, sharesMicro, mints }) =>
        maker(wallet, { sharesMicro, ...(mints ? { tokenId: "no", side: "BUY" as const } : {}) }),
      );
      const totalMicro = makers.reduce((sum, fill) => sum + fill.sharesMicro, 0n);
      const fills = [taker({ sharesMicro: totalMicro }), ...makers];
      const match = matchCounterparties(fills, true);
      expect(matchCounterparties([...fills].reverse(), true)).toEqual(match);
      if (match.status === "unavailable") throw new Error(match.reason);
      for (const one of [match.taker, ...match.makers]) {
        expect(one.matches.reduce((sum, part) => sum + part.filledSharesMicro, 0n)).toBe(one.filledSharesMicro);
        expect(one.matches.reduce((sum, part) => sum + part.makerFillCount, 0)).toBe(one.makerFillCount);
      }
      expect(match.makers.reduce((sum, one) => sum + one.filledSharesMicro, 0n)).toBe(totalMicro);
      const pct = match.makers.reduce((sum, one) => sum + Number(one.sharePct), 0);
      expect(pct).toBeLessThanOrEqual(100 + 1e-9);
      expect(pct).toBeGreaterThan(100 - 1e-5);
    }),
  );
});
