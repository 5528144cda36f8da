import fc from "fast-check";
import type { ProviderActivity, ProviderTrade, TradeFeed } from "../../../../src/platform/provider.ts";
import { aTrade, anActivity, asActivity, FIRST_COMBINATION } from "../../../support/ingest/provider/provider-trades.ts";
import { nearest, type ExpectedEntry } from "./expected-positions.ts";

/** Two seconds before the end of a UTC day, so that a story of four seconds spans two days. */
export const START = 1_760_054_398;
export const MARKETS = [1, 2] as const;
/** A combination, which has no market object and no payouts. */
export const COMBINATION = FIRST_COMBINATION;

/** An action of a trader. Several copies are equal rows of one transaction. */
const anAct = fc.record({
  type: fc.constantFrom("BUY", "BUY", "BUY", "SELL", "SELL", "SPLIT", "MERGE", "REDEEM", "MAKER_REBATE", "YIELD"),
  // Mostly one position and few seconds, because order matters where actions coincide.
  wallet: fc.constantFrom(1, 1, 1, 2),
  market: fc.constantFrom(1, 1, 1, 2, COMBINATION),
  outcome: fc.constantFrom(0, 0, 0, 1),
  shares: fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 50_000_000_000n)),
  /** In ten-billionths, the finest precision of the provider. */
  price: fc.integer({ min: 1, max: 9_999_999_999 }),
  fee: fc.bigInt(0n, 1_000_000n),
  second: fc.nat(3),
  copies: fc.constantFrom(1, 1, 1, 2, 3),
});

/**
 * One action listed by one feed, in the current page or a new one. Actions other than trades only appear in
 * the trader's activity.
 */
const aShowing = fc.record({ act: fc.nat(), via: fc.constantFrom("takers", "all", "activity"), newPage: fc.boolean() });

type Act = typeof anAct extends fc.Arbitrary<infer A> ? A : never;
type ShownListing = typeof aShowing extends fc.Arbitrary<infer S> ? S : never;

/**
 * The provider's resolutions of both markets after a number of pages: the first outcome's payouts and the
 * resolution time.
 */
const aRuling = fc.record({
  after: fc.nat(20),
  firstPayouts: fc.tuple(...MARKETS.map(() => fc.constantFrom(null, 0, 500_000, 1_000_000, 333_333))),
  atSeconds: fc.constantFrom(START, START + 86_400),
});

/**
 * The actions of traders and the pages in which they are listed, overlapping, repeated and in any order.
 * Every action is listed at least once.
 */
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

function showAll(acts: readonly Act[], drawnListings: readonly ShownListing[]): ShownListing[] {
  const shown = drawnListings.map((showing) => ({ ...showing, act: showing.act % acts.length }));
  const seen = new Set(shown.map((showing) => showing.act));
  const missing = acts.flatMap((_, act) => (seen.has(act) ? [] : [{ act, via: "takers" as const, newPage: false }]));
  return [...shown, ...missing].map((showing) => ({
    ...showing,
    via: isTrade(acts[showing.act]) ? showing.via : "activity",
  }));
}

const isTrade = (act: Act | undefined) => act?.type === "BUY" || act?.type === "SELL";

export type StoryPage =
  | { readonly from: TradeFeed; readonly rows: ProviderTrade[] }
  | { readonly from: "activity"; readonly wallet: number; readonly rows: ProviderActivity[] };

/**
 * The story's pages. An action never follows itself within a page, because its rows would count as more equal
 * fills.
 */
export function pagesOf({ acts, showings }: Story): StoryPage[] {
  const pages: StoryPage[] = [];
  let before: ShownListing | null = null;
  for (const showing of showings) {
    const act = acts[showing.act];
    if (act === undefined) throw new Error("a showing names an act of its story");
    const page = pages.at(-1);
    const fits =
      page?.from === "activity" ? showing.via === "activity" && page.wallet === act.wallet : page?.from === showing.via;
    if (!fits || showing.newPage || before?.act === showing.act) pages.push(emptyPage(showing.via, act.wallet));
    addRows(pages.at(-1), act, showing.act + 1);
    before = showing;
  }
  return pages;
}

const emptyPage = (via: ShownListing["via"], wallet: number): StoryPage =>
  via === "activity" ? { from: via, wallet, rows: [] } : { from: via, rows: [] };

function addRows(page: StoryPage | undefined, act: Act, n: number): void {
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

/** The story's ledger entries. The fee of a trade is known once the trader's activity has listed it. */
export function ledgerEntriesOf({ acts, showings }: Story): ExpectedEntry[] {
  return acts.flatMap((act, index) => Array.from({ length: act.copies }, () => movesOfAct(act, index)).flat());

  function movesOfAct(act: Act, index: number): ExpectedEntry[] {
    const { wallet, market, shares } = act;
    const facts = { n: index + 1, wallet, market, shares, atSeconds: START + act.second };
    const isFeeKnown = showings.some((showing) => showing.act === index && showing.via === "activity");
    if (act.type === "BUY" || act.type === "SELL") {
      const usd = nearest(shares * BigInt(act.price), 10_000_000_000n);
      const outcome = act.outcome === 0 ? 0 : 1;
      return [{ ...facts, kind: act.type === "BUY" ? "buy" : "sell", outcome, usd, fee: isFeeKnown ? act.fee : null }];
    }
    // The number of a combination's outcomes is unknown.
    if ((act.type !== "SPLIT" && act.type !== "MERGE") || market === COMBINATION) return [];
    // A pair costs a dollar, half of it per leg; the first leg has the odd millionth.
    const leg = { ...facts, kind: act.type === "SPLIT" ? ("split" as const) : ("merge" as const), fee: null };
    return [
      { ...leg, outcome: 0, usd: (shares + 1n) / 2n },
      { ...leg, outcome: 1, usd: shares / 2n },
    ];
  }
}

/** A rebate or a reward: an activity without a ledger entry. */
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
