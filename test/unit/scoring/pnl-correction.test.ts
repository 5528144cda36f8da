import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  measureCorrection,
  type MarketComparison,
  type OwnOutcome,
  type ProviderOutcomeFigures,
} from "../../../src/scoring/pnl-correction.ts";

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const shares = usd;

/** 100 shares bought at once and all sold since, with a profit of 10; nothing is settled. */
const own = (facts: Partial<OwnOutcome> = {}): OwnOutcome => ({
  tokenId: "1",
  openSharesMicro: 0n,
  costMicro: 0n,
  realizedMicro: usd(10),
  settledMicro: null,
  valueMicro: null,
  unmatchedSharesMicro: 0n,
  entries: 2,
  additions: 1,
  addedSharesMicro: shares(100),
  removedSharesMicro: shares(100),
  ...facts,
});

/** The same position as the provider reports it. */
const their = (facts: Partial<ProviderOutcomeFigures> = {}): ProviderOutcomeFigures => ({
  tokenId: "1",
  openSharesMicro: 0n,
  boughtSharesMicro: shares(100),
  realizedMicro: usd(10),
  unrealizedMicro: 0n,
  isRedeemable: false,
  ...facts,
});

const market = (facts: Partial<MarketComparison> = {}): MarketComparison => ({
  own: [own()],
  theirs: [their()],
  isFollowed: true,
  isRedeemed: false,
  ...facts,
});

describe("the compared amounts", () => {
  test("the correction is our result minus the provider's, negative where the provider overstates", () => {
    expect(measureCorrection([market({ theirs: [their({ realizedMicro: usd(12.5) })] })])).toEqual({
      correctionMicro: usd(-2.5),
      realizedMicro: usd(10),
      netMicro: usd(10),
      marketsMeasured: 1,
      marketsExcluded: 0,
    });
  });

  test("open shares of an open market count only in the net, at their price", () => {
    const openShares = { openSharesMicro: shares(40), removedSharesMicro: shares(60) };
    const open = market({
      own: [own({ ...openShares, costMicro: usd(16), valueMicro: usd(20) })],
      theirs: [their({ openSharesMicro: shares(40), realizedMicro: usd(13), unrealizedMicro: usd(99) })],
    });
    expect(measureCorrection([open])).toMatchObject({
      correctionMicro: usd(-3),
      realizedMicro: usd(10),
      netMicro: usd(14),
    });
    const unpriced = { ...open, own: [own({ ...openShares, costMicro: usd(16) })] };
    expect(measureCorrection([unpriced, market()])).toMatchObject({ correctionMicro: usd(-3), netMicro: null });
  });

  test("shares kept until the resolution count by the provider's mark while unredeemed, and as realized once redeemed", () => {
    const settled = own({
      openSharesMicro: shares(100),
      realizedMicro: 0n,
      settledMicro: usd(60),
      removedSharesMicro: 0n,
    });
    const unredeemed = their({
      openSharesMicro: shares(100),
      realizedMicro: 0n,
      unrealizedMicro: usd(65),
      isRedeemable: true,
    });
    expect(measureCorrection([market({ own: [settled], theirs: [unredeemed] })])).toMatchObject({
      correctionMicro: usd(-5),
      realizedMicro: usd(60),
    });
    const redeemed = their({ realizedMicro: usd(58) });
    expect(measureCorrection([market({ own: [settled], theirs: [redeemed], isRedeemed: true })])).toMatchObject({
      correctionMicro: usd(2),
    });
  });

  test("an unredeemed loss counts on both sides", () => {
    const lost = own({
      openSharesMicro: shares(100),
      realizedMicro: 0n,
      settledMicro: usd(-40),
      removedSharesMicro: 0n,
    });
    const open = their({
      openSharesMicro: shares(100),
      realizedMicro: 0n,
      unrealizedMicro: usd(-40),
      isRedeemable: true,
    });
    expect(measureCorrection([market({ own: [lost], theirs: [open] })])).toMatchObject({
      correctionMicro: null,
      realizedMicro: usd(-40),
    });
  });

  test("the outcomes of a market and all markets are summed, independent of their order", () => {
    const second = { tokenId: "2" };
    const pair = market({
      own: [own(), own(second)],
      theirs: [their({ ...second, realizedMicro: usd(9) }), their({ realizedMicro: usd(14) })],
    });
    expect(measureCorrection([pair, market({ theirs: [their({ realizedMicro: usd(5) })] })])).toMatchObject({
      correctionMicro: usd(2),
      realizedMicro: usd(30),
      marketsMeasured: 2,
    });
  });
});

describe("excluded markets", () => {
  const off = { realizedMicro: usd(99) };
  const openShares = { openSharesMicro: shares(100), removedSharesMicro: 0n };
  const settled = { ...openShares, settledMicro: usd(60) };
  test.each<[string, Partial<MarketComparison>]>([
    ["that the provider does not list", { theirs: [] }],
    ["that only the provider lists", { own: [], theirs: [their(off)] }],
    ["with an additional outcome of the provider", { theirs: [their(off), their({ tokenId: "2" })] }],
    ["with a missing outcome of the provider", { own: [own(), own({ tokenId: "2" })], theirs: [their(off)] }],
    ["with a repeated outcome of the provider", { own: [own(), own({ tokenId: "2" })], theirs: [their(off), their()] }],
    ["with activity that positions do not follow", { isFollowed: false, theirs: [their(off)] }],
    ["with unmatched shares", { own: [own({ unmatchedSharesMicro: 1n })], theirs: [their(off)] }],
    ["with more bought shares at the provider", { theirs: [their({ ...off, boughtSharesMicro: shares(100.001) })] }],
    ["with unknown bought shares at the provider", { theirs: [their({ ...off, boughtSharesMicro: null })] }],
    ["with an unknown result at the provider", { theirs: [their({ realizedMicro: null })] }],
    ["with more open shares at the provider", { theirs: [their({ ...off, openSharesMicro: shares(0.5) })] }],
    [
      "without open shares at the provider while ours are open in an open market",
      { own: [own(openShares)], theirs: [their(off)], isRedeemed: true },
    ],
    [
      "without open shares at the provider and without a recorded redemption",
      { own: [own(settled)], theirs: [their(off)] },
    ],
    [
      "with remaining shares at the provider after a redemption",
      {
        own: [own(settled)],
        theirs: [their({ ...off, ...openShares, openSharesMicro: shares(50), isRedeemable: true })],
        isRedeemed: true,
      },
    ],
    [
      "that has resolved only on our side",
      { own: [own(settled)], theirs: [their({ ...off, ...openShares, isRedeemable: false })] },
    ],
    [
      "that has resolved only at the provider",
      { own: [own(openShares)], theirs: [their({ ...off, ...openShares, isRedeemable: true })] },
    ],
    [
      "with an unknown resolution at the provider",
      { own: [own(openShares)], theirs: [their({ ...off, ...openShares, isRedeemable: null })] },
    ],
    [
      "with unredeemed shares without a value at the provider",
      { own: [own(settled)], theirs: [their({ ...off, ...openShares, isRedeemable: true, unrealizedMicro: null })] },
    ],
    [
      "with one settled and one unsettled outcome",
      {
        own: [own(settled), own({ tokenId: "2" })],
        theirs: [their({ ...off, ...openShares, isRedeemable: true }), their({ tokenId: "2" })],
      },
    ],
  ])("a market %s is excluded", (_, facts) => {
    const alone = {
      correctionMicro: null,
      realizedMicro: null,
      netMicro: null,
      marketsMeasured: 0,
      marketsExcluded: 1,
    };
    expect(measureCorrection([market(facts)])).toEqual(alone);
    const besideMeasured = measureCorrection([market(facts), market({ theirs: [their({ realizedMicro: usd(8) })] })]);
    expect(besideMeasured).toEqual({
      correctionMicro: usd(2),
      realizedMicro: usd(10),
      netMicro: usd(10),
      marketsMeasured: 1,
      marketsExcluded: 1,
    });
  });
});

test("a trader without any market has no measured markets", () => {
  expect(measureCorrection([])).toMatchObject({ correctionMicro: null, marketsMeasured: 0, marketsExcluded: 0 });
});

describe("differences within rounding", () => {
  test.each([
    [usd(10.01), null],
    [usd(9.99), null],
    [usd(10.010001), usd(-0.010001)],
  ])(
    "a difference of at most a cent is no correction for a small position: provider result %d",
    (realizedMicro, correctionMicro) => {
      expect(measureCorrection([market({ theirs: [their({ realizedMicro })] })]).correctionMicro).toBe(correctionMicro);
    },
  );

  // One addition of 1,000,000 shares and one sell of them: (1 + 1) from the average, 1 from the sell price,
  // four from products, 0.0002 from printing.
  test("a difference that the arithmetic of a large position can lose is no correction", () => {
    const large = { addedSharesMicro: shares(1_000_000), removedSharesMicro: shares(1_000_000) };
    const differing = (dollars: number) =>
      market({
        own: [own(large)],
        theirs: [their({ boughtSharesMicro: shares(1_000_000), realizedMicro: usd(10 + dollars) })],
      });
    expect(measureCorrection([differing(3.000204)]).correctionMicro).toBeNull();
    expect(measureCorrection([differing(3.000205)]).correctionMicro).toBe(usd(-3.000205));
    expect(measureCorrection([differing(3), differing(3)]).correctionMicro).toBeNull();
  });

  // A thousand additions could lose 1,001 per million shares, but never more than half of the average's
  // fourth decimal: 50.
  test("a difference of up to half a unit of the average's fourth decimal is no correction after many buys", () => {
    const many = { additions: 1_000, movements: 1_001, addedSharesMicro: shares(1_000_000) };
    const differing = (dollars: number) =>
      market({
        own: [own(many)],
        theirs: [their({ boughtSharesMicro: shares(1_000_000), realizedMicro: usd(10 - dollars) })],
      });
    expect(measureCorrection([differing(50)]).correctionMicro).toBeNull();
    expect(measureCorrection([differing(50.0003)]).correctionMicro).toBe(usd(50.0003));
  });
});

test("the order of markets and outcomes does not change the correction, and every market is counted once", () => {
  const anyMarket = fc
    .record({
      realized: fc.bigInt(-1_000_000_000_000n, 1_000_000_000_000n),
      off: fc.bigInt(-1_000_000_000n, 1_000_000_000n),
      listed: fc.boolean(),
    })
    .map(({ realized, off, listed }) =>
      market({
        own: [own({ realizedMicro: realized }), own({ tokenId: "2" })],
        theirs: listed ? [their({ realizedMicro: realized + off }), their({ tokenId: "2" })] : [],
      }),
    );
  fc.assert(
    fc.property(fc.array(anyMarket, { maxLength: 20 }), (markets) => {
      const forward = measureCorrection(markets);
      const reversed = markets
        .toReversed()
        .map((one) => ({ ...one, own: one.own.toReversed(), theirs: one.theirs.toReversed() }));
      expect(measureCorrection(reversed)).toEqual(forward);
      expect(forward.marketsMeasured + forward.marketsExcluded).toBe(markets.length);
      const listed = markets.filter((one) => one.theirs.length > 0);
      const off = listed.reduce(
        (sum, one) => sum + (one.own[0]?.realizedMicro ?? 0n) - (one.theirs[0]?.realizedMicro ?? 0n),
        0n,
      );
      // Each of twenty markets may lose the printed digits of two outcomes and a few products, about two
      // cents in total.
      expect(forward.correctionMicro ?? (off < 21_000n && off > -21_000n ? off : null)).toBe(
        listed.length === 0 ? 0n : off,
      );
    }),
  );
});
