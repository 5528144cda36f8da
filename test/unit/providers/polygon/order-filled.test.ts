import { existsSync, readFileSync } from "node:fs";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { describe, expect, test } from "vitest";
import { EXCHANGES, ORDER_FILLED_GEN_1, ORDER_FILLED_GEN_2 } from "../../../../src/providers/polygon/exchanges.ts";
import { decodeOrderFilled } from "../../../../src/providers/polygon/order-filled.ts";
import { ChainLog } from "../../../../src/providers/polygon/payloads.ts";
import { sharedPath } from "../../../support/providers/shared-path.ts";

const word = (value: bigint | string) =>
  (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0");
const padded = (address: string) => `0x${word(address)}`;

const V2 = "0xe111180000d2663c0091e4f400237545b87b996b";
const V1 = "0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e";
const TRADER = "0x2005d16a84ceefa912d4e380cd32e7ff827875ea";
const OTHER = "0x40841cc01207119e01b04800c71f7ce281767fe1";
const TOKEN = 0x8b435bedce4affcea1657d428e22887d5aa835db02348efe46afd585222fe5f9n;

function aLog(change: Partial<Record<"address" | "event" | "maker" | "taker" | "data", string>>, words: bigint[]) {
  const { address = V2, event = ORDER_FILLED_GEN_2, maker = padded(TRADER), taker = padded(OTHER) } = change;
  return ChainLog.parse({
    address,
    topics: [event, `0x${"22".repeat(32)}`, maker, taker],
    data: change.data ?? `0x${words.map(word).join("")}`,
    blockNumber: "0x4bd1a30",
    blockHash: `0x${"b1".repeat(32)}`,
    transactionHash: "0x2be95df880975cf37af78330c7c9b597aeff44d6338110c79cf11db46362e3d4",
    logIndex: "0x1a",
    removed: false,
  });
}

const keccak = (text: string) => `0x${Buffer.from(keccak_256(Buffer.from(text))).toString("hex")}`;

test("the topics are the hashes of the events' signatures", () => {
  expect(ORDER_FILLED_GEN_1).toBe(
    keccak("OrderFilled(bytes32,address,address,uint256,uint256,uint256,uint256,uint256)"),
  );
  expect(ORDER_FILLED_GEN_2).toBe(
    keccak("OrderFilled(bytes32,address,address,uint8,uint256,uint256,uint256,uint256,bytes32,bytes32)"),
  );
});

// The addresses as the provider publishes them. EIP-55 makes a wrong digit visible.
test.each([
  "0x4bFb41d5B3570DeFd03C39a9A4D8dE6Bd8B8982E",
  "0xC5d563A36AE78145C45a50134d48A1215220f80a",
  "0xE111180000d2663C0091e4f400237545B87B996B",
  "0xe2222d279d744050d28e00520010520000310F59",
  "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa",
])("the exchange %s is known and its checksum is right", (address) => {
  const digest = keccak(address.slice(2).toLowerCase()).slice(2);
  const checksummed = [...address.slice(2).toLowerCase()].map((digit, index) =>
    Number.parseInt(digest[index] ?? "0", 16) >= 8 ? digit.toUpperCase() : digit,
  );
  expect(`0x${checksummed.join("")}`).toBe(address);
  expect([...EXCHANGES.keys()]).toContain(address.toLowerCase());
});

describe("a fill of August 2026, 12.31 shares at 0.62 for $7.6322, as an explorer shows it", () => {
  test("the buyer's event is a purchase", () => {
    const log = aLog({}, [0n, TOKEN, 0x747548n, 0xbbd5f0n, 0n, 0n, 0n]);
    expect(decodeOrderFilled(log)).toEqual({
      txHash: "0x2be95df880975cf37af78330c7c9b597aeff44d6338110c79cf11db46362e3d4",
      blockNumber: 79_501_872,
      blockHash: `0x${"b1".repeat(32)}`,
      logIndex: 26,
      exchange: V2,
      orderHash: `0x${"22".repeat(32)}`,
      trader: TRADER,
      counterparty: OTHER,
      isTaker: false,
      side: "BUY",
      tokenId: "62990499176564282774255322658274507103956745212566816824251297821460375004665",
      sharesMicro: 12_310_000n,
      usdMicro: 7_632_200n,
      feeMicro: 0n,
    });
  });

  test("the seller's event names the exchange and is the taker's sale with its fee", () => {
    const log = aLog({ maker: padded(OTHER), taker: padded(V2) }, [1n, TOKEN, 0xbbd5f0n, 0x747548n, 0x23672n, 0n, 0n]);
    expect(decodeOrderFilled(log)).toMatchObject({
      trader: OTHER,
      counterparty: null,
      isTaker: true,
      side: "SELL",
      sharesMicro: 12_310_000n,
      usdMicro: 7_632_200n,
      feeMicro: 145_010n,
    });
  });
});

describe("the exchanges of 2022", () => {
  const gen1 = { address: V1, event: ORDER_FILLED_GEN_1 };

  test("a maker asset of 0 is a purchase, whose fee is in shares and so unknown in dollars", () => {
    expect(decodeOrderFilled(aLog(gen1, [0n, TOKEN, 4_000_000n, 10_000_000n, 50_000n]))).toMatchObject({
      side: "BUY",
      tokenId: String(TOKEN),
      usdMicro: 4_000_000n,
      sharesMicro: 10_000_000n,
      feeMicro: null,
    });
  });

  test("a taker asset of 0 is a sale with its fee in dollars", () => {
    expect(decodeOrderFilled(aLog(gen1, [TOKEN, 0n, 10_000_000n, 4_000_000n, 20_000n]))).toMatchObject({
      side: "SELL",
      tokenId: String(TOKEN),
      usdMicro: 4_000_000n,
      sharesMicro: 10_000_000n,
      feeMicro: 20_000n,
    });
  });

  test("tokens against tokens are not a fill", () => {
    expect(() => decodeOrderFilled(aLog(gen1, [TOKEN, 5n, 1n, 1n, 0n]))).toThrow("expected shares against dollars");
  });
});

const PLAIN = [0n, TOKEN, 1n, 1n, 0n, 0n, 0n];

test.each([
  ["another contract", aLog({ address: TRADER }, PLAIN), "expected an exchange"],
  ["the event of the other generation", aLog({ event: ORDER_FILLED_GEN_1 }, PLAIN), "expected OrderFilled"],
  ["too few topics", { ...aLog({}, PLAIN), topics: aLog({}, PLAIN).topics.slice(0, 3) }, "expected 4"],
  ["six words", aLog({}, PLAIN.slice(1)), "expected 7 words"],
  ["a third side", aLog({}, [2n, ...PLAIN.slice(1)]), "expected side 0 or 1"],
  ["a dirty address", aLog({ maker: `0x01${word(TRADER).slice(2)}` }, PLAIN), "expected an address"],
  ["an impossible amount", aLog({}, [0n, TOKEN, 1n, 2n ** 255n, 0n, 0n, 0n]), "expected a possible amount"],
])("%s is refused", (_, log, message) => {
  expect(() => decodeOrderFilled(log)).toThrow(message);
});

test.each([
  ["part of a word", { data: "0x00" }],
  ["a removed log", { removed: true }],
  ["a pending log", { blockNumber: null, blockHash: null }],
  ["a quantity with leading zeros", { logIndex: "0x01" }],
])("%s does not match the schema of logs", (_, change) => {
  const log = {
    ...aLog({}, PLAIN),
    blockNumber: "0x1",
    logIndex: "0x1",
    ...change,
  };
  expect(ChainLog.safeParse(log).success).toBe(false);
  expect(ChainLog.safeParse({ ...log, ...aLog({}, PLAIN), blockNumber: "0x1", logIndex: "0x1" }).success).toBe(true);
});

const SAMPLE = sharedPath("provider-samples/onchain_order_filled_v2.json");

test.runIf(existsSync(SAMPLE))("a recorded log decodes to its recorded fields", () => {
  const { topics, data, decoded } = JSON.parse(readFileSync(SAMPLE, "utf8"));
  const log = { ...aLog({}, PLAIN), topics, data };
  expect(decodeOrderFilled(log)).toMatchObject({
    trader: "0xf418d3a1a941292f9c8707d62a14980c5beb95a3",
    isTaker: true,
    side: decoded.side,
    tokenId: decoded.token_id,
    usdMicro: BigInt(decoded.maker_amount_pusd * 1e6),
    sharesMicro: BigInt(decoded.taker_amount_shares * 1e6),
    feeMicro: BigInt(decoded.fee_pusd * 1e6),
  });
});
