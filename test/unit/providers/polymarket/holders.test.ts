import { describe, expect, test } from "vitest";
import { ProviderRefused } from "../../../../src/platform/provider.ts";
import { CONDITION, SECOND_CONDITION, WALLET } from "../../../support/providers/payloads.ts";
import { aScriptedProvider, dataPage, type SentRequest } from "../../../support/providers/scripted-provider.ts";
import { aReplay, trades } from "../../scripts/provider/provider-recordings.ts";
import { providerAt } from "./provider-at-endpoint.ts";

/** A row as the provider writes it, with the fields that are read. */
const aRow = (facts: Record<string, unknown> = {}) => ({
  proxy_wallet: WALLET,
  token_id: "1001",
  condition_id: CONDITION,
  current_size: 28.09,
  outcome: "Yes",
  outcome_index: 0,
  avg_price: 0.6699,
  last_event_at: 1_791_292_984,
  ...facts,
});

const holderOf = async (facts: Record<string, unknown>) => {
  const { provider } = aScriptedProvider(dataPage([aRow(facts)]));
  return provider.listHolders(CONDITION, null);
};

describe("a holder row", () => {
  test("a holder row has address, outcome and shares", async () => {
    expect(await holderOf({ proxy_wallet: WALLET.toUpperCase().replace("0X", "0x") })).toEqual({
      rows: [{ address: WALLET, tokenId: "1001", outcomeIndex: 0, sharesMicro: 28_090_000n }],
      quarantined: [],
      nextCursor: null,
    });
  });

  test.each([999, null])("a holder row with the outcome index %j has an unknown outcome", async (outcome_index) => {
    expect((await holderOf({ outcome_index })).rows).toMatchObject([{ outcomeIndex: null, tokenId: "1001" }]);
  });

  test("a row without shares is not a holder", async () => {
    expect(await holderOf({ current_size: 0 })).toMatchObject({ rows: [], quarantined: [] });
  });

  test.each([
    [{ proxy_wallet: "0x1" }, "proxy_wallet"],
    [{ current_size: -1 }, "current_size"],
    [{ current_size: null }, "current_size"],
    [{ condition_id: `0x${"9".repeat(64)}` }, "condition_id"],
  ])("a holder row with %j is quarantined with the field %s in its reason", async (facts, field) => {
    const { rows, quarantined } = await holderOf(facts);
    expect(rows).toEqual([]);
    expect(quarantined).toMatchObject([{ record: aRow(facts), reason: expect.stringContaining(field) }]);
  });
});

const queryOf = ({ url }: SentRequest) => ({
  path: url.pathname,
  ...Object.fromEntries(url.searchParams),
  _: undefined,
});

test("every holder page names the market again and requests an order that prices do not change", async () => {
  const { provider, sent } = aScriptedProvider(dataPage([], "next"), dataPage([]));
  await provider.listHolders(CONDITION, null);
  await provider.listHolders(CONDITION, "next");
  const common = {
    path: "/v2/positions",
    condition: CONDITION,
    status: "OPEN",
    sort_by: "TOKENS",
    sort_direction: "DESC",
    limit: "1000",
  };
  expect(sent.map(queryOf)).toEqual([common, { ...common, cursor: "next" }]);
});

test("a second-protocol market that is refused is requested again in its padded form", async () => {
  const padded = `${SECOND_CONDITION}00`;
  const { provider, sent } = aScriptedProvider({ status: 400, json: {} }, dataPage([aRow({ condition_id: padded })]));
  const { rows } = await provider.listHolders(SECOND_CONDITION, "next");
  expect(sent.map(({ url }) => [url.searchParams.get("condition"), url.searchParams.get("cursor")])).toEqual([
    [SECOND_CONDITION, "next"],
    [padded, "next"],
  ]);
  expect(rows).toHaveLength(1);
});

test("a first-protocol market that is refused stays refused", async () => {
  const { provider, sent } = aScriptedProvider({ status: 400, json: {} });
  await expect(provider.listHolders(CONDITION, null)).rejects.toThrow(ProviderRefused);
  expect(sent).toHaveLength(1);
});

test("a replayed provider serves the holders of a recorded market with the recorded positions", async () => {
  const { provider } = providerAt(await aReplay({ "t.ndjson": trades(1) }));
  const [trade] = (await provider.listTrades("takers", null)).rows;
  expect(await provider.listHolders(trade?.market.conditionId ?? "", null)).toEqual({
    rows: [],
    quarantined: [],
    nextCursor: null,
  });
});
