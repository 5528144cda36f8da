import { describe, expect, test } from "vitest";
import { CONDITION, SECOND_CONDITION, TX, WALLET, aTradeRow } from "../../../../support/providers/payloads.ts";
import { aScriptedProvider, dataPage } from "../../../../support/providers/scripted-provider.ts";

/** Reads one row of the trade feed. */
async function read(facts: Record<string, unknown>) {
  const { provider } = aScriptedProvider(dataPage([aTradeRow(facts)]));
  const { rows, quarantined } = await provider.listTrades("takers", null);
  return { trade: rows[0] ?? null, invalid: quarantined[0] ?? null };
}

test("a fill has exact millionths, lower-case identity and null for the provider's empty values", async () => {
  const { trade } = await read({
    proxy_wallet: WALLET.toUpperCase().replace("0X", "0x"),
    transaction_hash: TX.toUpperCase().replace("0X", "0x"),
    condition_id: CONDITION.toUpperCase().replace("0X", "0x"),
    size: 5543.64,
    price: 0.4569996068,
  });
  expect(trade).toEqual({
    trader: { address: WALLET, username: null, profileImage: null },
    market: { conditionId: CONDITION, title: "Will it rain?", slug: "will-it-rain", eventSlug: null, icon: null },
    tokenId: "1001",
    outcomeIndex: 0,
    outcomeLabel: "Yes",
    side: "BUY",
    sharesMicro: 5_543_640_000n,
    // 5543.64 x 0.4569996068 = 2533.4413002..., the cash of this recorded fill.
    usdMicro: 2_533_441_300n,
    feeMicro: null,
    price: "0.4569996068",
    tradedAt: new Date("2026-09-21T14:13:20Z"),
    txHash: TX,
  });
});

test("a tiny price is written without an exponent", async () => {
  expect((await read({ price: 1e-7 })).trade?.price).toBe("0.0000001");
});

test("a fill whose size was rounded to zero stays a fill", async () => {
  expect((await read({ size: 0 })).trade).toMatchObject({ sharesMicro: 0n, usdMicro: 0n });
});

test("an outcome that the provider has not looked up yet is null", async () => {
  expect((await read({ outcome_index: 999, outcome: "" })).trade).toMatchObject({
    outcomeIndex: null,
    outcomeLabel: null,
  });
});

describe("second-protocol ids", () => {
  /** The position id of an outcome: the condition's 31 bytes, then one byte for the outcome. */
  const position = (conditionId: string, outcome: number) => String(BigInt(`${conditionId}0${outcome}`));

  test("a condition padded to 32 bytes is the same as its 31 bytes", async () => {
    const { trade } = await read({ condition_id: `${SECOND_CONDITION}00`, token_id: position(SECOND_CONDITION, 1) });
    expect(trade?.market.conditionId).toBe(SECOND_CONDITION);
  });

  test("the outcome is derived from the token when the row has none", async () => {
    const facts = { condition_id: SECOND_CONDITION, token_id: position(SECOND_CONDITION, 1), outcome_index: 999 };
    expect((await read(facts)).trade?.outcomeIndex).toBe(1);
  });

  test("a recorded combination and its position follow the rule of the ids", async () => {
    const conditionId = "0x03644e2e16fcbac7ab23cbf9cf68fba6f10000000000000000000000000000";
    const facts = {
      condition_id: conditionId,
      token_id: "1534162831021071298618460748655302203595635349916686009303552494548086161408",
      outcome_index: 999,
      slug: "",
      outcome: "",
      title: "Aston Villa AND Arsenal",
    };
    expect((await read(facts)).trade).toMatchObject({ outcomeIndex: 0, market: { conditionId, slug: null } });
  });

  test("the token of another condition gives no outcome", async () => {
    const facts = { condition_id: SECOND_CONDITION, token_id: "1001", outcome_index: 999 };
    expect((await read(facts)).trade?.outcomeIndex).toBeNull();
  });
});

describe("invalid fills", () => {
  test.each([
    ["a negative size", { size: -1 }, "size"],
    ["a size beyond the ledger's range", { size: 1e300 }, "size"],
    ["a price above 1", { price: 1.01 }, "price"],
    ["a price that is not a number", { price: "cheap" }, "price"],
    ["a time in words", { timestamp: "yesterday" }, "timestamp"],
    ["a time in milliseconds", { timestamp: 1_790_000_000_000 }, "timestamp"],
    ["a time before the provider existed", { timestamp: Date.UTC(2020, 0) / 1000 - 1 }, "timestamp"],
    ["an invalid wallet", { proxy_wallet: "nobody" }, "proxy_wallet"],
    ["a condition of the wrong width", { condition_id: "0x1234" }, "condition_id"],
    ["a token in hex", { token_id: "0xff" }, "token_id"],
    ["an unknown side", { side: "HOLD" }, "side"],
    ["no transaction", { transaction_hash: "" }, "transaction_hash"],
  ])("a row with %s is quarantined in full, with the field but no value in its reason", async (_, facts, field) => {
    const { trade, invalid } = await read(facts);
    expect(trade).toBeNull();
    expect(invalid?.record).toEqual(aTradeRow(facts));
    expect(invalid?.reason).toMatch(new RegExp(`^${field}: `));
  });
});

test("a time of the provider's first year is valid", async () => {
  expect((await read({ timestamp: Date.UTC(2020, 0) / 1000 })).trade?.tradedAt).toEqual(
    new Date("2020-01-01T00:00:00Z"),
  );
});

test("a character that the database cannot store is removed and the row is stored", async () => {
  expect((await read({ title: "Will\u0000 it rain?", name: "\u0000" })).trade).toMatchObject({
    market: { title: "Will it rain?" },
    trader: { username: null },
  });
});
