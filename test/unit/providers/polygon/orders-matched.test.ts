import { keccak_256 } from "@noble/hashes/sha3.js";
import { describe, expect, test } from "vitest";
import { ORDERS_MATCHED_GEN_1, ORDERS_MATCHED_GEN_2 } from "../../../../src/providers/polygon/exchanges.ts";
import type { UntimedFill } from "../../../../src/providers/polygon/order-filled.ts";
import { assignOrdersMatched, decodeOrdersMatched } from "../../../../src/providers/polygon/orders-matched.ts";
import { ChainLog } from "../../../../src/providers/polygon/payloads.ts";

const word = (value: bigint | string) =>
  (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0");

const V2 = "0xe111180000d2663c0091e4f400237545b87b996b";
const NEG_RISK_V2 = "0xe2222d279d744050d28e00520010520000310f59";
const V1 = "0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e";
const TAKER = "0xf418d3a1a941292f9c8707d62a14980c5beb95a3";
const HASH = `0x${"22".repeat(32)}`;
const TX = `0x${"aa".repeat(32)}`;
// The order of provider-samples/onchain_order_filled_v2.json: 50 shares for $37.5.
const ORDER = [
  0n,
  54226423569794718243567257412956123745217886916255962222769859231459077319171n,
  37_500_000n,
  50_000_000n,
];

function aLog(
  change: Partial<Record<"address" | "data", string>> & { readonly topics?: string[] } = {},
  words = ORDER,
) {
  return ChainLog.parse({
    address: V2,
    topics: [ORDERS_MATCHED_GEN_2, HASH, `0x${word(TAKER)}`],
    data: `0x${words.map(word).join("")}`,
    blockNumber: "0x4bd1a30",
    blockHash: `0x${"b1".repeat(32)}`,
    transactionHash: TX,
    logIndex: "0x1b",
    ...change,
  });
}

const keccak = (text: string) => `0x${Buffer.from(keccak_256(Buffer.from(text))).toString("hex")}`;

test("the topics are the hashes of the events' signatures", () => {
  expect(ORDERS_MATCHED_GEN_1).toBe(keccak("OrdersMatched(bytes32,address,uint256,uint256,uint256,uint256)"));
  expect(ORDERS_MATCHED_GEN_2).toBe(keccak("OrdersMatched(bytes32,address,uint8,uint256,uint256,uint256)"));
});

test("an event of 2026 names the taker order and its maker", () => {
  expect(decodeOrdersMatched(aLog())).toEqual({
    txHash: TX,
    blockNumber: 79_501_872,
    blockHash: `0x${"b1".repeat(32)}`,
    logIndex: 27,
    exchange: V2,
    family: "ctf_v2",
    takerOrderHash: HASH,
    taker: TAKER,
  });
  expect(decodeOrdersMatched(aLog({ address: NEG_RISK_V2 })).family).toBe("neg_risk_ctf_v2");
});

test("an event of 2022 has asset ids in place of side and token", () => {
  const topics = [ORDERS_MATCHED_GEN_1, HASH, `0x${word(TAKER)}`];
  const words = [2n ** 255n, 0n, 10_000_000n, 4_000_000n];
  expect(decodeOrdersMatched(aLog({ address: V1, topics }, words))).toMatchObject({ family: "ctf", taker: TAKER });
});

const TOPICS = [ORDERS_MATCHED_GEN_2, HASH, `0x${word(TAKER)}`];

test.each([
  ["another contract", aLog({ address: TAKER }), "expected an exchange"],
  ["the event of the other generation", aLog({ address: V1 }), "expected OrdersMatched"],
  ["too few topics", aLog({ topics: TOPICS.slice(0, 2) }), "topics: expected 3"],
  ["a topic too many", aLog({ topics: [...TOPICS, HASH] }), "topics: expected 3"],
  ["three words", aLog({}, ORDER.slice(1)), "expected 4 words"],
  ["five words", aLog({}, [...ORDER, 0n]), "expected 4 words"],
  ["a third side", aLog({}, [2n, ...ORDER.slice(1)]), "expected side 0 or 1"],
  ["a dirty address", aLog({ topics: [ORDERS_MATCHED_GEN_2, HASH, HASH] }), "expected an address"],
])("%s is refused", (_, log, message) => {
  expect(() => decodeOrdersMatched(log)).toThrow(message);
});

describe("the event of a fill", () => {
  const maker = (logIndex: number, facts: Partial<UntimedFill> = {}): UntimedFill => ({
    txHash: TX,
    blockNumber: 1,
    blockHash: "0xb1",
    logIndex,
    exchange: V2,
    orderHash: `0x0${logIndex}`,
    trader: "0x01",
    isTaker: false,
    counterparty: TAKER,
    side: "BUY",
    tokenId: "7",
    sharesMicro: 1n,
    usdMicro: 1n,
    feeMicro: 0n,
    ...facts,
  });
  const taker = (logIndex: number, facts: Partial<UntimedFill> = {}) =>
    maker(logIndex, { trader: TAKER, isTaker: true, counterparty: null, ...facts });
  const matched = (logIndex: number, takerOrderHash: string, facts = {}) => ({
    ...decodeOrdersMatched(aLog()),
    logIndex,
    takerOrderHash,
    ...facts,
  });
  const indexes = (fills: UntimedFill[], matches: ReturnType<typeof matched>[]) =>
    assignOrdersMatched(fills, matches).map(({ ordersMatched }) => ordersMatched?.logIndex ?? null);

  test("is that of its taker order, whatever the order of the logs", () => {
    const fills = [maker(1), maker(2), taker(3)];
    expect(indexes(fills, [matched(4, "0x03")])).toEqual([4, 4, 4]);
    expect(indexes(fills.toReversed(), [matched(4, "0x03")])).toEqual([4, 4, 4]);
    expect(assignOrdersMatched(fills, [matched(4, "0x03")])[0]?.ordersMatched).toEqual({
      logIndex: 4,
      exchange: "ctf_v2",
    });
  });

  test("is its own for each of two taker orders of a transaction, also of one trader", () => {
    const fills = [maker(1), taker(2), maker(5), maker(6), taker(7)];
    expect(indexes(fills, [matched(8, "0x07"), matched(3, "0x02")])).toEqual([3, 3, 8, 8, 8]);
  });

  test("is of its own exchange and transaction", () => {
    const other = { exchange: NEG_RISK_V2 };
    const fills = [maker(1), maker(2, other), taker(3, other), taker(5), taker(7, { txHash: "0xcc" })];
    expect(indexes(fills, [matched(4, "0x03", other), matched(6, "0x05")])).toEqual([6, 4, 4, 6, null]);
  });

  test.each([
    ["the event is missing", [maker(1), taker(2)], [], [null, null]],
    [
      "the event of the first of two orders is missing",
      [maker(1), taker(2), maker(4), taker(5)],
      ["0x05"],
      [null, null, 6, 6],
    ],
    ["the taker's fill is missing", [maker(1), maker(2)], ["0x05"], [null, null]],
    ["a maker names another taker", [maker(1, { counterparty: "0x09" }), maker(2), taker(5)], ["0x05"], [null, 6, 6]],
    ["the event is of another order", [maker(1), taker(5)], ["0x99"], [null, null]],
    ["the fill is after the event", [maker(7)], ["0x05"], [null]],
  ])("is unknown where %s", (_, fills, hashes, expected) => {
    expect(
      indexes(
        fills,
        hashes.map((hash) => matched(6, hash)),
      ),
    ).toEqual(expected);
  });

  test("is not replaced by that of the order's next fill, whose log is missing", () => {
    const fills = [maker(1), taker(2), maker(4)];
    expect(indexes(fills, [matched(3, "0x02"), matched(6, "0x02")])).toEqual([3, 3, null]);
  });

  test("is unknown where the taker's fill is missing before another order of the same trader", () => {
    const fills = [maker(1), maker(4), taker(5)];
    expect(indexes(fills, [matched(3, "0x02"), matched(6, "0x05")])).toEqual([null, 6, 6]);
  });

  test("is unknown where the event names another trader", () => {
    expect(indexes([maker(1), taker(2)], [matched(3, "0x02", { taker: "0x09" })])).toEqual([null, null]);
  });
});
