import fc from "fast-check";
import type { ProviderActivity, ProviderTrade, TradeFeed } from "../../../src/ports/provider.ts";
import { aTrade, anActivity, asActivity, FIRST_COMBINATION } from "../../support/ingest/trades.ts";
import { nearest, type ExpectedMove } from "./expected-positions.ts";

/** Two seconds before a UTC day ends, so that a story of four seconds has two days. */
export const START = 1_760_054_398;
export const MARKETS = [1, 2] as const;
/** A combination, which has no object and no payouts. */
export const COMBINATION = FIRST_COMBINATION;

/** Something a wallet does. Several copies are equal rows of one transaction. */
const anAct = fc.record({
  type: fc.constantFrom("BUY", "BUY", "BUY", "SELL", "SELL", "SPLIT", "MERGE", "REDEEM", "MAKER_REBATE", "YIELD"),
  // Mostly one holding and few seconds: order matters where acts meet.
  wallet: fc.constantFrom(1, 1, 1, 2),
  market: fc.constantFrom(1, 1, 1, 2, COMBINATION),
  outcome: fc.constantFrom(0, 0, 0, 1),
  shares: fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 50_000_000_000n)),
  /** In ten-billionths, the finest the provider writes. */
  price: fc.integer({ min: 1, max: 9_999_999_999 }),
  fee: fc.bigInt(0n, 1_000_000n),
  second: fc.nat(3),
  copies: fc.constantFrom(1, 1, 1, 2, 3),
});

/** One act shown by one feed, in the page before it or in a new one. Only trades show elsewhere than in the wallet's activity. */
const aShowing = fc.record({ act: fc.nat(), via: fc.constantFrom("takers", "all", "activity"), newPage: fc.boolean() });

type Act = typeof anAct extends fc.Arbitrary<infer A> ? A : never;
type Showing = typeof aShowing extends fc.Arbitrary<infer S> ? S : never;

/** What the provider says of both markets after so many pages: the first outcome's payouts, and when they were decided. */
const aRuling = fc.record({
  after: fc.nat(20),
  firstPayouts: fc.tuple(...MARKETS.map(() => fc.constantFrom(null, 0, 500_000, 1_000_000, 333_333))),
  atSeconds: fc.constantFrom(START, START + 86_400),
});

/** What wallets did, and in which pages and order, overlapping and repeated, we were told. Every act is shown at least once. */
export const aStory = fc
  .record({
    acts: fc.array(anAct, { minLength: 1, maxLength: 12 }),
    showings: fc.array(aShowing, { maxLength: 24 }),
    rulings: fc.array(aRuling, { minLength: 1, maxLength: 3 }),
  })
  .map(({ acts, showings, rulings }) => ({
    acts,
    showings: showAll(acts, showings),
    rulings: rulings.toSorted((a, b) => a.after - b.after),
  }));

export type Story = typeof aStory extends fc.Arbitrary<infer S> ? S : never;

function showAll(acts: readonly Act[], drawn: readonly Showing[]): Showing[] {
  const shown = drawn.map((showing) => ({ ...showing, act: showing.act % acts.length }));
  const seen = new Set(shown.map((showing) => showing.act));
  const missing = acts.flatMap((_, act) => (seen.has(act) ? [] : [{ act, via: "takers" as const, newPage: false }]));
  return [...shown, ...missing].map((showing) => ({ ...showing, via: isTrade(acts[showing.act]) ? showing.via : "activity" }));
}

const isTrade = (act: Act | undefined) => act?.type === "BUY" || act?.type === "SELL";

export type Told =
  | { readonly from: TradeFeed; readonly rows: ProviderTrade[] }
  | { readonly from: "activity"; readonly wallet: number; readonly rows: ProviderActivity[] };

/** The story's pages. An act never follows itself in a page: its rows would be taken for more equal fills. */
export function pagesOf({ acts, showings }: Story): Told[] {
  const pages: Told[] = [];
  let before: Showing | null = null;
  for (const showing of showings) {
    const act = acts[showing.act];
    if (act === undefined) throw new Error("a showing names an act of its story");
    const page = pages.at(-1);
    const fits = page?.from === "activity" ? showing.via === "activity" && page.wallet === act.wallet : page?.from === showing.via;
    if (!fits || showing.newPage || before?.act === showing.act) pages.push(emptyPage(showing.via, act.wallet));
    addRows(pages.at(-1), act, showing.act + 1);
    before = showing;
  }
  return pages;
}

const emptyPage = (via: Showing["via"], wallet: number): Told =>
  via === "activity" ? { from: via, wallet, rows: [] } : { from: via, rows: [] };

function addRows(page: Told | undefined, act: Act, n: number): void {
  for (let copy = 0; copy < act.copies; copy++) {
    if (page?.from === "activity") page.rows.push(activityOf(act, n));
    else page?.rows.push(tradeOf(act, n));
  }
}

const tradeOf = (act: Act, n: number): ProviderTrade =>
  aTrade({
    n,
    wallet: act.wallet,
    market: act.market,
    outcome: act.outcome === 0 ? 0 : 1,
    side: act.type === "SELL" ? "SELL" : "BUY",
    sharesMicro: act.shares,
    price: `0.${String(act.price).padStart(10, "0")}`,
    atSeconds: START + act.second,
  });

function activityOf(act: Act, n: number): ProviderActivity {
  const { type, wallet, shares: sharesMicro } = act;
  if (type === "BUY" || type === "SELL") return asActivity({ ...tradeOf(act, n), feeMicro: act.fee });
  const market = type === "MAKER_REBATE" || type === "YIELD" ? null : act.market;
  return anActivity(type, { n, wallet, market, sharesMicro, atSeconds: START + act.second });
}

/** What the story does to each holding. A trade's fee is known once the wallet's activity has shown it. */
export function movesOf({ acts, showings }: Story): ExpectedMove[] {
  return acts.flatMap((act, index) => Array.from({ length: act.copies }, () => movesOfAct(act, index)).flat());

  function movesOfAct(act: Act, index: number): ExpectedMove[] {
    const { wallet, market, shares } = act;
    const facts = { n: index + 1, wallet, market, shares, atSeconds: START + act.second };
    const feeTold = showings.some((showing) => showing.act === index && showing.via === "activity");
    if (act.type === "BUY" || act.type === "SELL") {
      const usd = nearest(shares * BigInt(act.price), 10_000_000_000n);
      const outcome = act.outcome === 0 ? 0 : 1;
      return [{ ...facts, kind: act.type === "BUY" ? "buy" : "sell", outcome, usd, fee: feeTold ? act.fee : null }];
    }
    // Nothing says how many outcomes a combination has.
    if ((act.type !== "SPLIT" && act.type !== "MERGE") || market === COMBINATION) return [];
    // A dollar a pair, half of it a leg; the first leg has the odd millionth.
    const leg = { ...facts, kind: act.type === "SPLIT" ? ("split" as const) : ("merge" as const), fee: null };
    return [
      { ...leg, outcome: 0, usd: (shares + 1n) / 2n },
      { ...leg, outcome: 1, usd: shares / 2n },
    ];
  }
}

/** A rebate, or a reward, which is none. */
export interface Receipt {
  readonly type: "MAKER_REBATE" | "YIELD";
  readonly wallet: number;
  readonly usd: bigint;
  readonly atSeconds: number;
}

export function receiptsOf({ acts }: Story): Receipt[] {
  return acts.flatMap(({ type, wallet, shares, second, copies }) =>
    type === "MAKER_REBATE" || type === "YIELD"
      ? Array.from({ length: copies }, () => ({ type, wallet, usd: shares, atSeconds: START + second }))
      : [],
  );
}
