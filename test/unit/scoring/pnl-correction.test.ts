import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureCorrection, type ComparedMarket, type OwnOutcome, type TheirOutcome } from "../../../src/scoring/pnl-correction.ts";

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const shares = usd;

/** 100 shares bought at once and all sold since, at a profit of 10; nothing settled. */
const own = (facts: Partial<OwnOutcome> = {}): OwnOutcome => ({
  tokenId: "1",
  heldSharesMicro: 0n,
  costMicro: 0n,
  realizedMicro: usd(10),
  settledMicro: null,
  valueMicro: null,
  unmatchedSharesMicro: 0n,
  movements: 2,
  additions: 1,
  addedSharesMicro: shares(100),
  removedSharesMicro: shares(100),
  ...facts,
});

/** The same by the provider. */
const their = (facts: Partial<TheirOutcome> = {}): TheirOutcome => ({
  tokenId: "1",
  heldSharesMicro: 0n,
  boughtSharesMicro: shares(100),
  realizedMicro: usd(10),
  unrealizedMicro: 0n,
  isRedeemable: false,
  ...facts,
});

const market = (facts: Partial<ComparedMarket> = {}): ComparedMarket => ({
  own: [own()],
  theirs: [their()],
  isFollowed: true,
  isRedeemed: false,
  ...facts,
});

describe("what is compared", () => {
  test("ours less theirs: negative where the provider overstates", () => {
    expect(measureCorrection([market({ theirs: [their({ realizedMicro: usd(12.5) })] })])).toEqual({
      correctionMicro: usd(-2.5),
      realizedMicro: usd(10),
      netMicro: usd(10),
      marketsMeasured: 1,
      marketsExcluded: 0,
    });
  });

  test("in a market still open what is held counts in net alone, at its price", () => {
    const held = { heldSharesMicro: shares(40), removedSharesMicro: shares(60) };
    const open = market({
      own: [own({ ...held, costMicro: usd(16), valueMicro: usd(20) })],
      theirs: [their({ heldSharesMicro: shares(40), realizedMicro: usd(13), unrealizedMicro: usd(99) })],
    });
    expect(measureCorrection([open])).toMatchObject({ correctionMicro: usd(-3), realizedMicro: usd(10), netMicro: usd(14) });
    const unpriced = { ...open, own: [own({ ...held, costMicro: usd(16) })] };
    expect(measureCorrection([unpriced, market()])).toMatchObject({ correctionMicro: usd(-3), netMicro: null });
  });

  test("once it has resolved, also what was held to the end: unredeemed by the provider's mark, redeemed as realized", () => {
    const settled = own({ heldSharesMicro: shares(100), realizedMicro: 0n, settledMicro: usd(60), removedSharesMicro: 0n });
    const unredeemed = their({ heldSharesMicro: shares(100), realizedMicro: 0n, unrealizedMicro: usd(65), isRedeemable: true });
    expect(measureCorrection([market({ own: [settled], theirs: [unredeemed] })])).toMatchObject({
      correctionMicro: usd(-5),
      realizedMicro: usd(60),
    });
    const redeemed = their({ realizedMicro: usd(58) });
    expect(measureCorrection([market({ own: [settled], theirs: [redeemed], isRedeemed: true })])).toMatchObject({
      correctionMicro: usd(2),
    });
  });

  test("a loss nobody redeemed stands on both sides", () => {
    const lost = own({ heldSharesMicro: shares(100), realizedMicro: 0n, settledMicro: usd(-40), removedSharesMicro: 0n });
    const open = their({ heldSharesMicro: shares(100), realizedMicro: 0n, unrealizedMicro: usd(-40), isRedeemable: true });
    expect(measureCorrection([market({ own: [lost], theirs: [open] })])).toMatchObject({ correctionMicro: null, realizedMicro: usd(-40) });
  });

  test("the outcomes of a market together, whatever their order, and the markets together", () => {
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

describe("a market that is excluded", () => {
  const off = { realizedMicro: usd(99) };
  const held = { heldSharesMicro: shares(100), removedSharesMicro: 0n };
  const settled = { ...held, settledMicro: usd(60) };
  test.each<[string, Partial<ComparedMarket>]>([
    ["that the provider does not list", { theirs: [] }],
    ["that we know nothing of", { own: [], theirs: [their(off)] }],
    ["of which it lists another outcome too", { theirs: [their(off), their({ tokenId: "2" })] }],
    ["of which it lists one outcome only", { own: [own(), own({ tokenId: "2" })], theirs: [their(off)] }],
    ["of which it lists an outcome twice", { own: [own(), own({ tokenId: "2" })], theirs: [their(off), their()] }],
    ["with activity that positions do not follow", { isFollowed: false, theirs: [their(off)] }],
    ["with shares of unknown basis", { own: [own({ unmatchedSharesMicro: 1n })], theirs: [their(off)] }],
    ["of which it counts more bought shares", { theirs: [their({ ...off, boughtSharesMicro: shares(100.001) })] }],
    ["of which it does not say what was bought", { theirs: [their({ ...off, boughtSharesMicro: null })] }],
    ["of which it does not say what was made", { theirs: [their({ realizedMicro: null })] }],
    ["of which it holds more", { theirs: [their({ ...off, heldSharesMicro: shares(0.5) })] }],
    ["of which it holds nothing while we hold shares of an open market", { own: [own(held)], theirs: [their(off)], isRedeemed: true }],
    ["whose shares it has not any more, and no redemption is recorded", { own: [own(settled)], theirs: [their(off)] }],
    [
      "of which it keeps some shares after a redemption",
      { own: [own(settled)], theirs: [their({ ...off, ...held, heldSharesMicro: shares(50), isRedeemable: true })], isRedeemed: true },
    ],
    ["that has resolved for us only", { own: [own(settled)], theirs: [their({ ...off, ...held, isRedeemable: false })] }],
    ["that has resolved for it only", { own: [own(held)], theirs: [their({ ...off, ...held, isRedeemable: true })] }],
    ["of which it does not say whether it has resolved", { own: [own(held)], theirs: [their({ ...off, ...held, isRedeemable: null })] }],
    [
      "whose unredeemed shares it does not value",
      { own: [own(settled)], theirs: [their({ ...off, ...held, isRedeemable: true, unrealizedMicro: null })] },
    ],
    [
      "of which one outcome has settled and another not",
      { own: [own(settled), own({ tokenId: "2" })], theirs: [their({ ...off, ...held, isRedeemable: true }), their({ tokenId: "2" })] },
    ],
  ])("is one %s", (_, facts) => {
    const alone = { correctionMicro: null, realizedMicro: null, netMicro: null, marketsMeasured: 0, marketsExcluded: 1 };
    expect(measureCorrection([market(facts)])).toEqual(alone);
    const beside = measureCorrection([market(facts), market({ theirs: [their({ realizedMicro: usd(8) })] })]);
    expect(beside).toEqual({ correctionMicro: usd(2), realizedMicro: usd(10), netMicro: usd(10), marketsMeasured: 1, marketsExcluded: 1 });
  });
});

test("a wallet without any market has nothing measured", () => {
  expect(measureCorrection([])).toMatchObject({ correctionMicro: null, marketsMeasured: 0, marketsExcluded: 0 });
});

describe("what rounding explains is no correction", () => {
  test.each([
    [usd(10.01), null],
    [usd(9.99), null],
    [usd(10.010001), usd(-0.010001)],
  ])("a small position, a cent: theirs %d", (realizedMicro, correctionMicro) => {
    expect(measureCorrection([market({ theirs: [their({ realizedMicro })] })]).correctionMicro).toBe(correctionMicro);
  });

  // One addition of 1,000,000 shares and one sale of them: (1 + 1) of the average, 1 of the sale's price, four of products, 0.0002 printed.
  test("a large one, what its arithmetic can lose", () => {
    const large = { addedSharesMicro: shares(1_000_000), removedSharesMicro: shares(1_000_000) };
    const differing = (dollars: number) =>
      market({ own: [own(large)], theirs: [their({ boughtSharesMicro: shares(1_000_000), realizedMicro: usd(10 + dollars) })] });
    expect(measureCorrection([differing(3.000204)]).correctionMicro).toBeNull();
    expect(measureCorrection([differing(3.000205)]).correctionMicro).toBe(usd(-3.000205));
    expect(measureCorrection([differing(3), differing(3)]).correctionMicro).toBeNull();
  });

  // A thousand additions could lose 1,001 of each million shares, but never more than half the average's fourth decimal: 50.
  test("one of many purchases, half a unit of the average's fourth decimal", () => {
    const many = { additions: 1_000, movements: 1_001, addedSharesMicro: shares(1_000_000) };
    const differing = (dollars: number) =>
      market({ own: [own(many)], theirs: [their({ boughtSharesMicro: shares(1_000_000), realizedMicro: usd(10 - dollars) })] });
    expect(measureCorrection([differing(50)]).correctionMicro).toBeNull();
    expect(measureCorrection([differing(50.0003)]).correctionMicro).toBe(usd(50.0003));
  });
});

test("the order of markets and outcomes changes nothing, and every market is counted once", () => {
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
      const turned = markets.toReversed().map((one) => ({ ...one, own: one.own.toReversed(), theirs: one.theirs.toReversed() }));
      expect(measureCorrection(turned)).toEqual(forward);
      expect(forward.marketsMeasured + forward.marketsExcluded).toBe(markets.length);
      const listed = markets.filter((one) => one.theirs.length > 0);
      const off = listed.reduce((sum, one) => sum + (one.own[0]?.realizedMicro ?? 0n) - (one.theirs[0]?.realizedMicro ?? 0n), 0n);
      // Each of twenty markets may explain the printed digits of two outcomes and a few products, so about two cents in all.
      expect(forward.correctionMicro ?? (off < 21_000n && off > -21_000n ? off : null)).toBe(listed.length === 0 ? 0n : off);
    }),
  );
});
