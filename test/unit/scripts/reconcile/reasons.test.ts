import { describe, expect, test } from "vitest";
import { reconcileRecording } from "../../../../scripts/reconcile/reconcile-recording.ts";
import { aClosedPosition, aFlow, anActivity, anOpenPosition, aRecording, NO, WALLET } from "./reconcile-recordings.ts";

const TEN = { size: 10, price: 0.4 };

async function reconciled(activity: readonly unknown[], positions: readonly unknown[]) {
  return reconcileRecording(await aRecording({ "activity.ndjson": activity, "positions.json": positions }));
}

async function reasonOf(activity: readonly unknown[], position: unknown): Promise<string> {
  const { positions } = await reconciled(activity, [position]);
  expect(positions).toHaveLength(1);
  return positions[0]?.reason ?? "";
}

describe("the reason agrees", () => {
  test("shares kept until a win agree when they realize their payout minus their cost", async () => {
    const { positions } = await reconciled([anActivity(TEN)], [aClosedPosition()]);
    expect(positions[0]).toMatchObject({
      reason: "agrees",
      figures: [{ name: "realized", oursMicro: 6_000_000n, differenceMicro: 0n }],
    });
  });

  test("an open position's mark is compared separately from the result of its sells", async () => {
    const activity = [anActivity(TEN), anActivity({ side: "SELL", size: 4, price: 0.5 })];
    // 10 at 0.40, 4 sold at 0.50: 0.40 realized; 6 remain, worth 4.20 with a cost of 2.40.
    const position = anOpenPosition({ size: 6, realizedPnl: 0.4, initialValue: 2.4, currentValue: 4.2, cashPnl: 1.8 });
    const { positions } = await reconciled(activity, [position]);
    expect(positions[0]).toMatchObject({
      reason: "agrees",
      figures: [{ oursMicro: 400_000n }, { name: "unrealized", oursMicro: 1_800_000n }],
    });
  });

  test("a fee within the cash of a trade is in neither number", async () => {
    expect(await reasonOf([anActivity({ ...TEN, usdcSize: 4.12 })], aClosedPosition())).toBe("agrees");
  });

  test("a merge removes both outcomes at half a dollar", async () => {
    const activity = [anActivity(TEN), anActivity({ asset: NO, size: 10, price: 0.55 }), aFlow("MERGE", { size: 10 })];
    const closed = [
      aClosedPosition({ realizedPnl: 1, curPrice: 0.7 }),
      aClosedPosition({
        asset: NO,
        oppositeAsset: "111",
        outcomeIndex: 1,
        avgPrice: 0.55,
        realizedPnl: -0.5,
        curPrice: 0.3,
      }),
    ];
    expect((await reconciled(activity, closed)).positions.map(({ reason }) => reason)).toEqual(["agrees", "agrees"]);
  });

  test("shares of a split count as bought at half a dollar", async () => {
    const activity = [aFlow("SPLIT", { size: 10 }), anActivity({ side: "SELL", size: 10, price: 0.6 })];
    expect(await reasonOf(activity, aClosedPosition({ avgPrice: 0.5, realizedPnl: 1, curPrice: 0.7 }))).toBe("agrees");
  });

  test("a market that paid half settles at half when its redemption is recorded", async () => {
    const position = aClosedPosition({ realizedPnl: 1, curPrice: 0.5 });
    expect(await reasonOf([anActivity(TEN), aFlow("REDEEM", { size: 5 })], position)).toBe("agrees");
    expect(await reasonOf([anActivity(TEN)], position)).toBe("transfer");
  });
});

describe("the reason provider rounding", () => {
  // 30,000 for $10,000.011 are truncated to 0.333333 a share, 70,000 for $30,000.026 to 0.428571, their
  // average 0.3999996 to 0.399999. Redeemed at 1: 60,000.10 by that average, 59,999.963 by the actual cost.
  const activity = [anActivity({ size: 30_000, price: 0.3333337 }), anActivity({ size: 70_000, price: 0.4285718 })];
  const rounded = { avgPrice: 0.3999, totalBought: 100_000 };

  test("a difference from the provider's truncated average is explained to the last digit", async () => {
    const { positions, summary } = await reconciled(activity, [aClosedPosition({ ...rounded, realizedPnl: 60_000.1 })]);
    expect(positions[0]).toMatchObject({
      reason: "provider rounding",
      figures: [{ oursMicro: 59_999_963_000n, unexplainedMicro: 0n }],
    });
    expect(summary).toMatchObject({ explainedShare: 1, replayedShare: 1, withinCentShare: 0, unrounded: 0 });
  });

  test("a difference above the arithmetic loss of the fills is not rounding, even within half of the average's fourth decimal", async () => {
    // Two additions of 100,000 shares: 0.30 plus the printed step. Half of the fourth decimal would be 5.00.
    expect(await reasonOf(activity, aClosedPosition({ ...rounded, realizedPnl: 60_000.263 }))).toBe(
      "provider rounding",
    );
    expect(await reasonOf(activity, aClosedPosition({ ...rounded, realizedPnl: 60_000.264 }))).toBe("unknown");
  });

  test("rounding explains at most half of the average's fourth decimal, for any number of fills", async () => {
    // 200 additions of 1,000 shares could lose 40.20; half of the fourth decimal on 200,000 shares is 10.00.
    // Paid 80,000, redeemed 200,000.
    const many = Array.from({ length: 200 }, () => anActivity({ size: 1000, price: 0.4 }));
    expect(await reasonOf(many, aClosedPosition({ totalBought: 200_000, realizedPnl: 120_010 }))).toBe(
      "provider rounding",
    );
    expect(await reasonOf(many, aClosedPosition({ totalBought: 200_000, realizedPnl: 120_010.001 }))).toBe("unknown");
  });
});

test("the reason is missing history when the provider counts more bought shares than the fills", async () => {
  const { positions, summary } = await reconciled(
    [anActivity(TEN)],
    [aClosedPosition({ totalBought: 25, realizedPnl: 9 })],
  );
  expect(positions[0]).toMatchObject({ reason: "missing history", why: "15 of 25 bought shares have no fill" });
  expect(summary).toMatchObject({ complete: 0, explainedShare: null, medianRelativeError: null });
});

describe("the reason transfer", () => {
  test("the reason is transfer when shares left without a sell", async () => {
    expect(await reasonOf([anActivity(TEN)], anOpenPosition({ size: 4 }))).toBe("transfer");
  });

  test("the reason is transfer when shares arrived without a buy", async () => {
    expect(await reasonOf([anActivity(TEN)], anOpenPosition({ size: 12 }))).toBe("transfer");
  });

  test("the reason is transfer when the provider did not settle the win of a closed position", async () => {
    expect(await reasonOf([anActivity(TEN)], aClosedPosition({ realizedPnl: 0 }))).toBe("transfer");
  });
});

describe("the reason split/merge", () => {
  test("the reason is split/merge when the other outcome of a merge is unknown", async () => {
    const position = aClosedPosition({ oppositeAsset: "", realizedPnl: 1, curPrice: 0.7 });
    expect(await reasonOf([anActivity(TEN), aFlow("MERGE", { size: 10 })], position)).toBe("split/merge");
  });

  test("the reason is split/merge when a migration moves shares to an unknown token", async () => {
    expect(await reasonOf([anActivity(TEN), aFlow("MIGRATION")], aClosedPosition())).toBe("split/merge");
  });
});

describe("the reason conversion", () => {
  test("the reason is conversion for every position of a converted event, even with equal numbers", async () => {
    const otherMarket = aFlow("CONVERSION", { conditionId: `0x${"d".repeat(64)}` });
    const { positions, summary } = await reconciled([anActivity(TEN), otherMarket], [aClosedPosition()]);
    expect(positions[0]).toMatchObject({ reason: "conversion", figures: [{ differenceMicro: 0n }] });
    expect(summary).toMatchObject({ complete: 0, explainedShare: null, withinCentShare: null });
    expect(await reasonOf([anActivity(TEN), { ...otherMarket, eventSlug: "snow" }], aClosedPosition())).toBe("agrees");
  });
});

describe("the reason unknown", () => {
  test("the reason is unknown for complete fills with another number", async () => {
    const { positions, failures } = await reconciled([anActivity(TEN)], [aClosedPosition({ realizedPnl: 5.5 })]);
    expect(positions[0]).toMatchObject({
      reason: "unknown",
      figures: [{ differenceMicro: 500_000n, allowedMicro: 10_000n }],
    });
    expect(failures).toHaveLength(1);
  });

  test("the reason is unknown when one of two numbers differs", async () => {
    expect(await reasonOf([anActivity(TEN)], anOpenPosition({ cashPnl: 3.02 }))).toBe("unknown");
    expect(await reasonOf([anActivity(TEN)], anOpenPosition({ realizedPnl: 0.02 }))).toBe("unknown");
  });

  test("the reason is unknown and the run fails when there are more fills than the provider counts", async () => {
    const { positions, failures } = await reconciled([anActivity(TEN), anActivity(TEN)], [aClosedPosition()]);
    expect(positions[0]).toMatchObject({
      reason: "unknown",
      why: "the recording has 10 more bought shares than the provider",
    });
    expect(failures).toHaveLength(1);
  });
});

describe("the reason not comparable", () => {
  test("the reason is not comparable for a position without recorded fills", async () => {
    const { positions } = await reconciled([anActivity({ ...TEN, asset: NO })], [aClosedPosition()]);
    expect(positions[0]).toMatchObject({ reason: "not comparable", figures: [] });
  });

  test("fills without a number of the provider are listed and never counted", async () => {
    const { unmatched, summary } = await reconciled(
      [anActivity(TEN), anActivity({ side: "SELL", size: 4, price: 0.5 })],
      [],
    );
    expect(unmatched).toEqual([{ wallet: WALLET, tokenId: "111", movements: 2, realizedMicro: 400_000n }]);
    expect(summary).toMatchObject({ positions: 0, complete: 0 });
  });
});
