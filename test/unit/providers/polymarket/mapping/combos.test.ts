import { describe, expect, test } from "vitest";
import { ProviderUnavailable } from "../../../../../src/platform/provider.ts";
import { legPositionOf, comboConditionOf, comboTokenOf } from "../../../../support/ingest/provider/provider-combos.ts";
import { CONDITION, TX, WALLET, aMarketRow } from "../../../../support/providers/payloads.ts";
import { hasRecordedData, readRecorded } from "../../../../support/providers/recorded.ts";
import { aScriptedProvider, dataPage, marketPage } from "../../../../support/providers/scripted-provider.ts";

const RECORDED_WALLET = "0x87746b484db725beb8e79d7ce188261b7c75baf4";

const aLegRow = (index: number, facts: Record<string, unknown> = {}) => ({
  leg_index: index,
  leg_position_id: legPositionOf(index + 1, 0),
  leg_condition_id: CONDITION,
  leg_outcome_label: "Yes",
  leg_status: "PENDING",
  leg_resolved_at: null,
  leg_current_price: 0.25,
  market: {
    market_id: "77",
    slug: "rain",
    title: "Rain",
    question: "Rain?",
    tags: ["weather"],
    event: { event_slug: "e" },
  },
  ...facts,
});

const aPositionRow = (facts: Record<string, unknown> = {}) => ({
  proxy_wallet: WALLET,
  combo_condition_id: comboConditionOf(1),
  combo_position_id: comboTokenOf(1, 0),
  legs_total: 2,
  legs: [aLegRow(0), aLegRow(1)],
  ...facts,
});

const anEventRow = (facts: Record<string, unknown> = {}) => ({
  id: `${TX}-7`,
  type: "SPLIT",
  proxy_wallet: WALLET,
  combo_condition_id: comboConditionOf(1),
  combo_position_id: comboTokenOf(1, 1),
  amount_usdc: 12.5,
  payout_usdc: null,
  block_number: 91_440_179,
  timestamp: 1_785_865_295,
  transaction_hash: TX,
  legs: [aLegRow(0)],
  ...facts,
});

describe.runIf(hasRecordedData)("recorded combos", () => {
  test("a recorded position has its legs with the provider's words", async () => {
    const { provider, sent } = aScriptedProvider({ json: readRecorded("provider-samples/v2_combo_positions.json") });
    const { rows, quarantined, nextCursor } = await provider.listComboPositions(RECORDED_WALLET, null);
    expect(quarantined).toEqual([]);
    expect(nextCursor).toBeNull();
    expect(sent[0]?.url.pathname).toBe("/v2/positions/combos");
    expect(rows).toHaveLength(1);
    expect(rows[0]?.combo.conditionId).toBe("0x03644e2e16fcbac7ab23cbf9cf68fba6f10000000000000000000000000000");
    expect(rows[0]?.combo.legs).toMatchObject([
      {
        ...{ moduleId: 1, outcomeIndex: 0, status: "RESOLVED_LOSS", price: "0" },
        conditionId: "0x013c68ae665fd8c9156655492ae51153160000000000000000000000000000",
        resolvedAt: new Date("2026-08-04T17:37:38Z"),
        market: { marketId: "3189139", outcomeLabel: "Aston Villa", slug: "clf-avl-pau-2026-08-04-spread-home-2pt5" },
      },
      {
        moduleId: 1,
        outcomeIndex: 0,
        market: { marketId: "3313160", eventSlug: "clf-pau-avl-2026-08-04-more-markets" },
      },
    ]);
  });

  test("a recorded redemption has its payout, and legs whose positions are of the neg-risk module", async () => {
    const { provider } = aScriptedProvider({ json: readRecorded("provider-samples/v2_combo_activity.json") });
    const { rows, quarantined, nextCursor } = await provider.listComboActivity(RECORDED_WALLET, null);
    expect(quarantined).toEqual([]);
    expect(nextCursor).toMatch(/^eyJ/);
    expect(rows).toMatchObject([
      {
        ...{ kind: "REDEEM", outcomeIndex: 0, amountMicro: null, payoutMicro: 79_375_723_165n, sharesMicro: null },
        ...{ blockNumber: 91_440_179, logIndex: 844, happenedAt: new Date(1_785_865_295_000) },
        combo: {
          legs: [
            // The row states the legacy condition id; the position id has the second protocol's.
            {
              moduleId: 2,
              conditionId: "0xb82979cea439ed92f7bbb382b9f7a5c6d44a1fef7c494a77f4911c28464c0061",
              price: "1",
            },
            { moduleId: 2, status: "RESOLVED_WIN" },
          ],
        },
      },
    ]);
  });
});

describe("combo positions", () => {
  async function read(facts: Record<string, unknown>) {
    const { provider } = aScriptedProvider(dataPage([aPositionRow(facts)]));
    const { rows, quarantined } = await provider.listComboPositions(WALLET, null);
    return { row: rows[0] ?? null, reason: quarantined[0]?.reason ?? null };
  }

  test("legs are put in the provider's order", async () => {
    const { row } = await read({ legs: [aLegRow(1), aLegRow(0)] });
    expect(row?.combo.legs.map(({ positionId }) => positionId)).toEqual([legPositionOf(1, 0), legPositionOf(2, 0)]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["of another trader", { proxy_wallet: `0x${"12".repeat(20)}` }],
    ["of a position of another combo", { combo_position_id: comboTokenOf(2, 0) }],
    ["of a position that is no combo's", { combo_position_id: legPositionOf(1, 0) }],
    ["with fewer legs than it counts", { legs_total: 3 }],
    ["with one leg twice", { legs: [aLegRow(0), aLegRow(1, { leg_position_id: legPositionOf(1, 0) })] }],
    ["with a leg that is no position", { legs_total: 1, legs: [aLegRow(0, { leg_position_id: "12" })] }],
    ["with more legs than a combo has", { legs_total: null, legs: Array.from({ length: 51 }, (_, n) => aLegRow(n)) }],
  ])("a row %s is quarantined", async (_, facts) => {
    const { row, reason } = await read(facts);
    expect(row).toBeNull();
    expect(reason).toMatch(/./);
  });
});

describe("combo events", () => {
  async function read(facts: Record<string, unknown>) {
    const { provider } = aScriptedProvider(dataPage([anEventRow(facts)]));
    const { rows, quarantined } = await provider.listComboActivity(WALLET, null);
    return { row: rows[0] ?? null, reason: quarantined[0]?.reason ?? null };
  }

  test("an event has exact amounts, and null for those that it does not state", async () => {
    expect((await read({})).row).toMatchObject({
      ...{ kind: "SPLIT", outcomeIndex: 1, amountMicro: 12_500_000n, payoutMicro: null, sharesMicro: null },
      ...{ providerId: `${TX}-7`, txHash: TX, logIndex: 7 },
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ["an unknown type", { type: "BURN" }],
    ["another transaction in its id", { id: `0x${"ef".repeat(32)}-7` }],
    ["no log index", { id: TX }],
    ["a negative amount", { amount_usdc: -1 }],
  ])("a row with %s is quarantined", async (_, facts) => {
    const { row, reason } = await read(facts);
    expect(row).toBeNull();
    expect(reason).toMatch(/./);
  });
});

test("the markets of tokens are requested by token id, closed ones only when they are not open", async () => {
  const [known, unknown] = ["71", "99"];
  const { provider, sent } = aScriptedProvider(
    marketPage([]),
    marketPage([aMarketRow({ closed: true, clobTokenIds: JSON.stringify([known, "72"]) })]),
  );
  const { rows } = await provider.findTokenMarkets([known, unknown]);
  expect(rows.map(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId))).toEqual([[known, "72"]]);
  expect(sent.map(({ url }) => [url.searchParams.get("closed"), url.searchParams.getAll("clob_token_ids")])).toEqual([
    ["false", [known, unknown]],
    ["true", [known, unknown]],
  ]);
});

describe("the markets of legs", () => {
  const POSITIONS = [legPositionOf(1, 0), legPositionOf(1, 1)];

  test("are requested by position id, closed ones only when they are not open", async () => {
    const { provider, sent } = aScriptedProvider(
      marketPage([]),
      marketPage([aMarketRow({ closed: true, positionIds: POSITIONS })]),
    );
    const { rows } = await provider.findLegMarkets(POSITIONS.slice(0, 1));
    expect(rows).toMatchObject([{ positionIds: POSITIONS, market: { conditionId: CONDITION } }]);
    expect(sent.map(({ url }) => [url.searchParams.get("closed"), url.searchParams.getAll("position_ids")])).toEqual([
      ["false", POSITIONS.slice(0, 1)],
      ["true", POSITIONS.slice(0, 1)],
    ]);
  });

  test("that were not requested mean that the provider ignored the filter", async () => {
    const { provider } = aScriptedProvider(...Array.from({ length: 5 }, () => marketPage([aMarketRow()])));
    await expect(provider.findLegMarkets(POSITIONS)).rejects.toThrow(ProviderUnavailable);
  });
});
