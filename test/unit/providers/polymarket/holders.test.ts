import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProviderEndpoint, type ProviderEndpoint } from "../../../../scripts/provider/index.ts";
import { ProviderRefused, type Provider } from "../../../../src/ports/provider.ts";
import { CONDITION, SECOND_CONDITION, WALLET } from "../../../support/providers/payloads.ts";
import { aScriptedProvider, page, type Sent } from "../../../support/providers/scripted-provider.ts";
import { aReplay, trades } from "../../scripts/provider/recordings.ts";
import { providerAt, walk } from "./provider-at-endpoint.ts";

/** A row as the provider writes it, with the fields that count. */
const aRow = (facts: Record<string, unknown> = {}) => ({
  proxy_wallet: WALLET,
  token_id: "1001",
  condition_id: CONDITION,
  current_size: 28.09,
  current_value: 20.0843,
  outcome: "Yes",
  outcome_index: 0,
  avg_price: 0.6699,
  last_event_at: 1_791_292_984,
  ...facts,
});

const holderOf = async (facts: Record<string, unknown>) => {
  const { provider } = aScriptedProvider(page([aRow(facts)]));
  return provider.listHolders(CONDITION, null);
};

describe("a row", () => {
  test("tells wallet, outcome, shares and worth", async () => {
    expect(await holderOf({ proxy_wallet: WALLET.toUpperCase().replace("0X", "0x") })).toEqual({
      rows: [{ address: WALLET, tokenId: "1001", outcomeIndex: 0, sharesMicro: 28_090_000n, valueMicro: 20_084_300n }],
      misfits: [],
      nextCursor: null,
    });
  });

  test.each([null, undefined, ""])("with a worth of %j has none, and never 0", async (current_value) => {
    expect((await holderOf({ current_value })).rows).toMatchObject([{ valueMicro: null }]);
  });

  test("that is worth nothing says so", async () => {
    expect((await holderOf({ current_value: 0 })).rows).toMatchObject([{ valueMicro: 0n }]);
  });

  test.each([999, null])("with outcome %j is one whose outcome is not known yet", async (outcome_index) => {
    expect((await holderOf({ outcome_index })).rows).toMatchObject([{ outcomeIndex: null, tokenId: "1001" }]);
  });

  test("without shares is no holder", async () => {
    expect(await holderOf({ current_size: 0 })).toMatchObject({ rows: [], misfits: [] });
  });

  test.each([
    [{ proxy_wallet: "0x1" }, "proxy_wallet"],
    [{ current_size: -1 }, "current_size"],
    [{ current_size: null }, "current_size"],
    [{ current_value: "much" }, "current_value"],
    [{ condition_id: `0x${"9".repeat(64)}` }, "condition_id"],
  ])("%j is set aside, named by %s", async (facts, field) => {
    const { rows, misfits } = await holderOf(facts);
    expect(rows).toEqual([]);
    expect(misfits).toMatchObject([{ record: aRow(facts), reason: expect.stringContaining(field) }]);
  });
});

const queryOf = ({ url }: Sent) => ({ path: url.pathname, ...Object.fromEntries(url.searchParams), _: undefined });

test("every page names the market again, and asks for an order that prices do not move", async () => {
  const { provider, sent } = aScriptedProvider(page([], "next"), page([]));
  await provider.listHolders(CONDITION, null);
  await provider.listHolders(CONDITION, "next");
  const common = { path: "/v2/positions", condition: CONDITION, status: "OPEN", sort_by: "TOKENS", sort_direction: "DESC", limit: "1000" };
  expect(sent.map(queryOf)).toEqual([common, { ...common, cursor: "next" }]);
});

test("a second-protocol market that is refused is asked for in its padded form, and its rows are in ours", async () => {
  const padded = `${SECOND_CONDITION}00`;
  const { provider, sent } = aScriptedProvider({ status: 400, json: {} }, page([aRow({ condition_id: padded })]));
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

describe("at a simulated provider", () => {
  let endpoint: ProviderEndpoint;
  let provider: Provider;
  beforeAll(async () => {
    const now = () => Date.parse("2026-11-18T20:04:00Z");
    endpoint = await startProviderEndpoint({ source: { kind: "simulate", seed: 7, now }, log: { error: () => undefined } });
    ({ provider } = providerAt(endpoint));
  });
  afterAll(() => endpoint.stop());

  test("a market's holders are those whose fills left them shares", async () => {
    const conditionId = (await provider.listTrades("takers", null)).rows[0]?.market.conditionId ?? "";
    const { rows, misfits } = await walk((cursor) => provider.listHolders(conditionId, cursor));
    expect(misfits).toEqual([]);
    expect(rows.length).toBeGreaterThan(5);
    expect(new Set(rows.map(({ address, tokenId }) => `${address} ${tokenId}`)).size).toBe(rows.length);
    const shares = rows.map((row) => row.sharesMicro);
    expect(shares).toEqual(shares.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
    // What the activity of the largest holder of this market comes to.
    const [largest] = rows;
    const activity = await walk((cursor) => provider.listActivity(largest?.address ?? "", null, cursor));
    const held = activity.rows.reduce((sum, row) => {
      if (row.kind === "other") {
        if (row.activity.market?.conditionId !== conditionId) return sum;
        return row.activity.type === "SPLIT"
          ? sum + row.activity.sharesMicro
          : row.activity.type === "MERGE"
            ? sum - row.activity.sharesMicro
            : sum;
      }
      if (row.trade.tokenId !== largest?.tokenId) return sum;
      return row.trade.side === "BUY" ? sum + row.trade.sharesMicro : sum - row.trade.sharesMicro;
    }, 0n);
    // The provider rounds to four decimals.
    expect(Math.abs(Number((largest?.sharesMicro ?? 0n) - held))).toBeLessThanOrEqual(100);
  });
});

test("at a replayed provider a market of recorded trades is served, with the recorded positions", async () => {
  const { provider } = providerAt(await aReplay({ "t.ndjson": trades(1) }));
  const [trade] = (await provider.listTrades("takers", null)).rows;
  expect(await provider.listHolders(trade?.market.conditionId ?? "", null)).toEqual({ rows: [], misfits: [], nextCursor: null });
});
