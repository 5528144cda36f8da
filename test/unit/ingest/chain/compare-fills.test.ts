import { describe, expect, test } from "vitest";
import { compareFills, pairFills, type LedgerFill } from "../../../../src/ingest/chain/compare-fills.ts";
import type { ChainFill } from "../../../../src/platform/chain.ts";

const SHARED = { txHash: "0xaa", tokenId: "7", side: "BUY", isTaker: false, tradedAtMs: 1_000 } as const;

const onChain = (change: Partial<ChainFill> = {}): ChainFill => ({
  ...SHARED,
  blockNumber: 1,
  blockHash: "0xb1",
  logIndex: 0,
  exchange: "0xe1",
  orderHash: "0x0d",
  trader: "0x01",
  counterparty: "0x02",
  sharesMicro: 10_000_000n,
  usdMicro: 6_200_000n,
  feeMicro: 0n,
  ordersMatched: null,
  ...change,
});

const inLedger = (change: Partial<LedgerFill> = {}): LedgerFill => ({
  ...SHARED,
  entryId: "1",
  address: "0x01",
  sharesMicro: 10_000_000n,
  usdMicro: 6_200_000n,
  feeMicro: null,
  log: null,
  ...change,
});

const kindsOf = (chain: ChainFill[], ledger: LedgerFill[]) => compareFills(chain, ledger).map(({ kind }) => kind);

test("equal fills do not differ", () => {
  expect(compareFills([onChain()], [inLedger()])).toEqual([]);
  expect(compareFills([onChain()], [inLedger({ feeMicro: 0n })])).toEqual([]);
  expect(compareFills([onChain({ feeMicro: null })], [inLedger({ feeMicro: 5n })])).toEqual([]);
});

test.each([
  ["nothing in the ledger", [onChain()], [], ["missing_in_ledger"]],
  ["nothing on the chain", [], [inLedger()], ["missing_on_chain"]],
  ["one of two equal fills", [onChain(), onChain({ logIndex: 3 })], [inLedger()], ["missing_in_ledger"]],
  ["a fill too many", [onChain()], [inLedger(), inLedger({ entryId: "2" })], ["missing_on_chain"]],
  ["other shares", [onChain()], [inLedger({ sharesMicro: 10_000_001n })], ["shares"]],
  [
    "other shares beside equal ones",
    [onChain({ sharesMicro: 9_000_000n }), onChain()],
    [inLedger(), inLedger({ sharesMicro: 1n })],
    ["shares"],
  ],
  ["another trader", [onChain()], [inLedger({ address: "0x09" })], ["missing_in_ledger", "missing_on_chain"]],
  ["another token", [onChain()], [inLedger({ tokenId: "8" })], ["missing_in_ledger", "missing_on_chain"]],
  ["the other side", [onChain()], [inLedger({ side: "SELL" })], ["missing_in_ledger", "missing_on_chain"]],
  ["other dollars", [onChain()], [inLedger({ usdMicro: 6_200_002n })], ["usd"]],
  ["another fee", [onChain({ feeMicro: 40n })], [inLedger({ feeMicro: 30n })], ["fee"]],
  ["a taker without its role", [onChain({ isTaker: true })], [inLedger()], ["role"]],
  ["a maker with the role of a taker", [onChain()], [inLedger({ isTaker: true })], ["role"]],
  ["another second", [onChain()], [inLedger({ tradedAtMs: 2_000 })], ["time"]],
  [
    "another log index",
    [onChain()],
    [inLedger({ log: { blockNumber: 1, logIndex: 2, ordersMatched: null } })],
    ["log"],
  ],
  ["another block", [onChain()], [inLedger({ log: { blockNumber: 2, logIndex: 0, ordersMatched: null } })], ["log"]],
  ["several fields", [onChain()], [inLedger({ usdMicro: 1n, isTaker: true, tradedAtMs: 0 })], ["usd", "role", "time"]],
])("the comparison of fills reports %s", (_, chain, ledger, kinds) => {
  expect(kindsOf(chain, ledger)).toEqual(kinds);
});

describe("the OrdersMatched event of a fill", () => {
  const log = (logIndex: number | null, exchange: "ctf_v2" | "v3" = "ctf_v2") => ({
    blockNumber: 1,
    logIndex: 0,
    ordersMatched: logIndex === null ? null : { logIndex, exchange },
  });

  test.each([
    ["the same", log(4), log(4), []],
    ["unknown in the ledger", log(4), log(null), []],
    ["unknown on the chain", log(null), log(4), []],
    ["of another index", log(4), log(5), ["log"]],
    ["of another exchange", log(4), log(4, "v3"), ["log"]],
  ])("%s", (_, chain, ledger, kinds) => {
    expect(kindsOf([onChain(chain)], [inLedger({ log: ledger })])).toEqual(kinds);
  });
});

test("fills are paired with the entries of equal shares, each once", () => {
  const chain = [onChain({ logIndex: 1 }), onChain({ logIndex: 2, sharesMicro: 5n }), onChain({ logIndex: 3 })];
  const ledger = [inLedger({ entryId: "7" }), inLedger({ entryId: "8", sharesMicro: 6n }), inLedger({ entryId: "9" })];
  const pairs = (fills: typeof chain) =>
    pairFills(fills, ledger).map(([{ logIndex }, { entryId }]) => [logIndex, entryId]);
  expect(pairs(chain)).toEqual([
    [1, "7"],
    [3, "9"],
  ]);
});

test("two equal fills of which one is the taker's are paired by role", () => {
  const chain = [onChain({ isTaker: true }), onChain({ logIndex: 1 })];
  expect(compareFills(chain, [inLedger(), inLedger({ entryId: "2", isTaker: true })])).toEqual([]);
});

test("dollars may differ by the rounding of a price of ten decimals, and no more", () => {
  // 1,000,000 shares at a price rounded by half of 1e-10 are 50 micro-dollars, and one for the product.
  const chain = onChain({ sharesMicro: 1_000_000_000_000n, usdMicro: 333_333_333_333n });
  const ledger = (usdMicro: bigint) => inLedger({ sharesMicro: 1_000_000_000_000n, usdMicro });
  expect(kindsOf([chain], [ledger(333_333_333_384n)])).toEqual([]);
  expect(kindsOf([chain], [ledger(333_333_333_385n)])).toEqual(["usd"]);
  expect(kindsOf([chain], [ledger(333_333_333_281n)])).toEqual(["usd"]);
});
