import { describe, expect, test } from "vitest";
import { CONDITION, TX, WALLET, anActivityRow } from "../../../../support/providers/payloads.ts";
import { aScriptedProvider, dataPage } from "../../../../support/providers/scripted-provider.ts";

async function read(facts: Record<string, unknown>) {
  const { provider } = aScriptedProvider(dataPage([anActivityRow(facts)]));
  const { rows, quarantined } = await provider.listActivity(WALLET, null, null);
  return { row: rows[0] ?? null, invalid: quarantined[0] ?? null };
}

describe("the fee of a trade", () => {
  test.each([
    // Recorded: 22.84 x 0.52 = 11.8768, and 0.05 x 22.84 x 0.52 x 0.48 = 0.28504.
    ["a buyer who pays it on top", { side: "BUY", size: 22.84, price: 0.52, usdc_size: 12.16184 }, 285_040n],
    ["a seller from whom it is deducted", { side: "SELL", size: 22.84, price: 0.52, usdc_size: 11.59176 }, 285_040n],
    ["the smallest possible fee", { side: "BUY", size: 1, price: 0.5, usdc_size: 0.50001 }, 10n],
    ["a maker, who pays none", { side: "BUY", size: 10, price: 0.4, usdc_size: 4 }, 0n],
    // 18882.28125 x 0.1491482921 = 2816.2600006..., recorded as 2816.26: the price's tenth decimal was
    // rounded.
    [
      "a rounded price, which is no fee",
      { side: "BUY", size: 18882.28125, price: 0.1491482921, usdc_size: 2816.26 },
      0n,
    ],
    [
      "a rounded price of a large fill",
      { side: "SELL", size: 33733.04, price: 0.0630278919, usdc_size: 2126.1224 },
      0n,
    ],
    [
      "cash below the price of a buy, which leaves it unknown",
      { side: "BUY", size: 10, price: 0.4, usdc_size: 3.9 },
      null,
    ],
    ["missing cash, which leaves it unknown", { side: "BUY", size: 10, price: 0.4, usdc_size: null }, null],
  ])("the fee is the cash beyond shares times price: %s", async (_, facts, feeMicro) => {
    const { row } = await read(facts);
    expect(row).toMatchObject({ kind: "trade", trade: { feeMicro } });
  });
});

test("a trade of a combination is read like any other trade", async () => {
  const condition_id = `0x03${"7e".repeat(16)}${"0".repeat(28)}`;
  const { row } = await read({ condition_id, is_combo: true, slug: "", outcome: "" });
  expect(row).toMatchObject({ kind: "trade", trade: { market: { conditionId: condition_id, slug: null } } });
});

describe("activity other than trades", () => {
  const NO_MARKET = {
    condition_id: "",
    token_id: "",
    side: "",
    outcome_index: 999,
    title: "",
    slug: "",
    outcome: "",
    price: 0,
  };

  test.each(["REWARD", "MAKER_REBATE", "TAKER_REBATE", "REFERRAL_REWARD", "YIELD", "DEPOSIT", "WITHDRAWAL"])(
    "a %s has no market",
    async (type) => {
      const { row } = await read({ ...NO_MARKET, type, size: 3597.7603, usdc_size: 3597.7603 });
      expect(row).toEqual({
        kind: "other",
        activity: {
          trader: { address: WALLET, username: null, profileImage: null },
          type,
          market: null,
          tokenId: null,
          sharesMicro: 3_597_760_300n,
          usdMicro: 3_597_760_300n,
          happenedAt: new Date("2026-09-21T14:13:20Z"),
          txHash: TX,
        },
      });
    },
  );

  test.each([
    ["one row for the whole redemption", "", null],
    ["a row for each outcome", "1001", "1001"],
  ])("a redemption is read from %s", async (_, token_id, tokenId) => {
    const { row } = await read({ type: "REDEEM", token_id, side: "", size: 120, usdc_size: 120 });
    expect(row).toMatchObject({
      kind: "other",
      activity: { type: "REDEEM", tokenId, market: { conditionId: CONDITION } },
    });
  });

  test("a redemption of losing shares has zero cash", async () => {
    const { row } = await read({ type: "REDEEM", side: "", size: 120, usdc_size: 0 });
    expect(row).toMatchObject({ activity: { sharesMicro: 120_000_000n, usdMicro: 0n } });
  });

  test("missing cash is never read as 0", async () => {
    const { row, invalid } = await read({ type: "MERGE", side: "", token_id: "", size: 5, usdc_size: null });
    expect(row).toBeNull();
    expect(invalid?.reason).toMatch(/^usdc_size: /);
  });
});

test("an activity of an unknown type is quarantined", async () => {
  const { row, invalid } = await read({ type: "STAKE" });
  expect(row).toBeNull();
  expect(invalid?.record).toEqual(anActivityRow({ type: "STAKE" }));
  expect(invalid?.reason).toMatch(/^type: /);
});
