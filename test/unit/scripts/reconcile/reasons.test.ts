import { describe, expect, test } from "vitest";
import { reconcileRecording } from "../../../../scripts/reconcile/reconcile-recording.ts";
import { aClosedPosition, aFlow, anActivity, anOpenPosition, aRecording, NO, WALLET } from "./recordings.ts";

const TEN = { size: 10, price: 0.4 };

async function reconciled(activity: readonly unknown[], positions: readonly unknown[]) {
  return reconcileRecording(await aRecording({ "activity.ndjson": activity, "positions.json": positions }));
}

async function reasonOf(activity: readonly unknown[], position: unknown): Promise<string> {
  const { positions } = await reconciled(activity, [position]);
  expect(positions).toHaveLength(1);
  return positions[0]?.reason ?? "";
}

describe("agrees", () => {
  test("what was held to a win realizes its payout less its cost", async () => {
    const { positions } = await reconciled([anActivity(TEN)], [aClosedPosition()]);
    expect(positions[0]).toMatchObject({ reason: "agrees", figures: [{ name: "realized", oursMicro: 6_000_000n, differenceMicro: 0n }] });
  });

  test("an open position's mark is compared beside what its sales realized", async () => {
    const activity = [anActivity(TEN), anActivity({ side: "SELL", size: 4, price: 0.5 })];
    // 10 at 0.40, 4 sold at 0.50: 0.40 realized; 6 left, worth 4.20 for 2.40.
    const position = anOpenPosition({ size: 6, realizedPnl: 0.4, initialValue: 2.4, currentValue: 4.2, cashPnl: 1.8 });
    const { positions } = await reconciled(activity, [position]);
    expect(positions[0]).toMatchObject({
      reason: "agrees",
      figures: [{ oursMicro: 400_000n }, { name: "unrealized", oursMicro: 1_800_000n }],
    });
  });

  test("a fee in the cash of a trade is in neither figure", async () => {
    expect(await reasonOf([anActivity({ ...TEN, usdcSize: 4.12 })], aClosedPosition())).toBe("agrees");
  });

  test("a merge takes both outcomes at half a dollar", async () => {
    const activity = [anActivity(TEN), anActivity({ asset: NO, size: 10, price: 0.55 }), aFlow("MERGE", { size: 10 })];
    const closed = [
      aClosedPosition({ realizedPnl: 1, curPrice: 0.7 }),
      aClosedPosition({ asset: NO, oppositeAsset: "111", outcomeIndex: 1, avgPrice: 0.55, realizedPnl: -0.5, curPrice: 0.3 }),
    ];
    expect((await reconciled(activity, closed)).positions.map(({ reason }) => reason)).toEqual(["agrees", "agrees"]);
  });

  test("shares of a split count as bought at half a dollar", async () => {
    const activity = [aFlow("SPLIT", { size: 10 }), anActivity({ side: "SELL", size: 10, price: 0.6 })];
    expect(await reasonOf(activity, aClosedPosition({ avgPrice: 0.5, realizedPnl: 1, curPrice: 0.7 }))).toBe("agrees");
  });

  test("a market that paid half is settled at it when its redemption is recorded", async () => {
    const position = aClosedPosition({ realizedPnl: 1, curPrice: 0.5 });
    expect(await reasonOf([anActivity(TEN), aFlow("REDEEM", { size: 5 })], position)).toBe("agrees");
    expect(await reasonOf([anActivity(TEN)], position)).toBe("transfer");
  });
});

describe("provider rounding", () => {
  // 30,000 for $10,000.011 is cut to 0.333333 a share, 70,000 for $30,000.026 to 0.428571, their average 0.3999996 to 0.399999.
  // Redeemed at 1: 60,000.10 by that average, 59,999.963 by what was paid.
  const activity = [anActivity({ size: 30_000, price: 0.3333337 }), anActivity({ size: 70_000, price: 0.4285718 })];
  const rounded = { avgPrice: 0.3999, totalBought: 100_000 };

  test("what its cut average makes of the same fills is explained to the last digit", async () => {
    const { positions, summary } = await reconciled(activity, [aClosedPosition({ ...rounded, realizedPnl: 60_000.1 })]);
    expect(positions[0]).toMatchObject({ reason: "provider rounding", figures: [{ oursMicro: 59_999_963_000n, unexplainedMicro: 0n }] });
    expect(summary).toMatchObject({ explainedShare: 1, replayedShare: 1, withinCentShare: 0, unrounded: 0 });
  });

  test("more than its arithmetic can lose on these fills is not rounding, even within half a unit of the average's fourth decimal", async () => {
    // Two additions of 100,000 shares: 0.30, and the printed step. The half unit would be 5.00.
    expect(await reasonOf(activity, aClosedPosition({ ...rounded, realizedPnl: 60_000.263 }))).toBe("provider rounding");
    expect(await reasonOf(activity, aClosedPosition({ ...rounded, realizedPnl: 60_000.264 }))).toBe("unknown");
  });

  test("half a unit of the average's fourth decimal is the most, however many fills there are", async () => {
    // 200 additions of 1,000 shares could lose 40.20; half a unit on 200,000 shares is 10.00. Paid 80,000, redeemed 200,000.
    const many = Array.from({ length: 200 }, () => anActivity({ size: 1000, price: 0.4 }));
    expect(await reasonOf(many, aClosedPosition({ totalBought: 200_000, realizedPnl: 120_010 }))).toBe("provider rounding");
    expect(await reasonOf(many, aClosedPosition({ totalBought: 200_000, realizedPnl: 120_010.001 }))).toBe("unknown");
  });
});

test("missing history: the provider counts more bought shares than the fills have", async () => {
  const { positions, summary } = await reconciled([anActivity(TEN)], [aClosedPosition({ totalBought: 25, realizedPnl: 9 })]);
  expect(positions[0]).toMatchObject({ reason: "missing history", why: "15 of 25 bought shares have no fill" });
  expect(summary).toMatchObject({ complete: 0, explainedShare: null, medianRelativeError: null });
});

describe("transfer", () => {
  test("shares left without a sale", async () => {
    expect(await reasonOf([anActivity(TEN)], anOpenPosition({ size: 4 }))).toBe("transfer");
  });

  test("shares came without a purchase", async () => {
    expect(await reasonOf([anActivity(TEN)], anOpenPosition({ size: 12 }))).toBe("transfer");
  });

  test("a closed position whose win the provider did not settle had been moved away", async () => {
    expect(await reasonOf([anActivity(TEN)], aClosedPosition({ realizedPnl: 0 }))).toBe("transfer");
  });
});

describe("split/merge", () => {
  test("a merge whose other outcome nothing names cannot be booked", async () => {
    const position = aClosedPosition({ oppositeAsset: "", realizedPnl: 1, curPrice: 0.7 });
    expect(await reasonOf([anActivity(TEN), aFlow("MERGE", { size: 10 })], position)).toBe("split/merge");
  });

  test("a migration moves shares to a token that nothing names", async () => {
    expect(await reasonOf([anActivity(TEN), aFlow("MIGRATION")], aClosedPosition())).toBe("split/merge");
  });
});

describe("conversion", () => {
  test("it moves profit between all positions of its event, so none of them is agreement, equal figures or not", async () => {
    const elsewhere = aFlow("CONVERSION", { conditionId: `0x${"d".repeat(64)}` });
    const { positions, summary } = await reconciled([anActivity(TEN), elsewhere], [aClosedPosition()]);
    expect(positions[0]).toMatchObject({ reason: "conversion", figures: [{ differenceMicro: 0n }] });
    expect(summary).toMatchObject({ complete: 0, explainedShare: null, withinCentShare: null });
    expect(await reasonOf([anActivity(TEN), { ...elsewhere, eventSlug: "snow" }], aClosedPosition())).toBe("agrees");
  });
});

describe("unknown", () => {
  test("complete fills and another figure", async () => {
    const { positions, failures } = await reconciled([anActivity(TEN)], [aClosedPosition({ realizedPnl: 5.5 })]);
    expect(positions[0]).toMatchObject({ reason: "unknown", figures: [{ differenceMicro: 500_000n, allowedMicro: 10_000n }] });
    expect(failures).toHaveLength(1);
  });

  test("one figure of two that differs is enough", async () => {
    expect(await reasonOf([anActivity(TEN)], anOpenPosition({ cashPnl: 3.02 }))).toBe("unknown");
    expect(await reasonOf([anActivity(TEN)], anOpenPosition({ realizedPnl: 0.02 }))).toBe("unknown");
  });

  test("more fills than the provider counts may be counted twice, and fail the run", async () => {
    const { positions, failures } = await reconciled([anActivity(TEN), anActivity(TEN)], [aClosedPosition()]);
    expect(positions[0]).toMatchObject({ reason: "unknown", why: "the recording has 10 more bought shares than the provider" });
    expect(failures).toHaveLength(1);
  });
});

describe("not comparable", () => {
  test("a position of which no fill is recorded has no figure of ours", async () => {
    const { positions } = await reconciled([anActivity({ ...TEN, asset: NO })], [aClosedPosition()]);
    expect(positions[0]).toMatchObject({ reason: "not comparable", figures: [] });
  });

  test("fills without a figure of the provider are listed and never counted", async () => {
    const { unmatched, summary } = await reconciled([anActivity(TEN), anActivity({ side: "SELL", size: 4, price: 0.5 })], []);
    expect(unmatched).toEqual([{ wallet: WALLET, tokenId: "111", movements: 2, realizedMicro: 400_000n }]);
    expect(summary).toMatchObject({ positions: 0, complete: 0 });
  });
});
