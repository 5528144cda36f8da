import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { largeTrades, ledgerEntries, traders } from "../../../../src/db/schema.ts";
import { departures } from "../../../contract/contract.ts";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aFill, aFillLog, aTakerTrade } from "../../../support/seed/fills.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const TX = 700_001;
const TX_HASH = `0x${TX.toString(16).padStart(64, "0")}`;
const HYDRATED = { hydratedAt: new Date("2026-11-20T00:00:00Z"), negRisk: true };

let api: ApiUnderTest;
let db: Database;
let market: SeededMarket;
/** A trade of 20,000 YES shares at 0.6. */
let id: number;

beforeEach(async () => {
  ({ api, db } = await openFreshApi());
  market = await aMarket(db, HYDRATED);
  id = await aTakerTrade(db, { trader: await aSeededTrader(db), market, shares: 20_000, price: "0.6", tx: TX });
});

const seller = async (shares: number, facts: Parameters<typeof aSeededTrader>[1] = {}): Promise<SeededTrader> => {
  const wallet = await aSeededTrader(db, facts);
  await aFill(db, { trader: wallet, market, side: "SELL", shares, price: "0.6", tx: TX });
  return wallet;
};
const minter = async (shares: number): Promise<SeededTrader> => {
  const wallet = await aSeededTrader(db);
  await aFill(db, { trader: wallet, market, outcome: 1, shares, price: "0.4", tx: TX });
  return wallet;
};
const analysis = async () => (await api.get(`/api/v1/large-trades/${id}`)).body.data.counterparty_analysis;
const snapshot = async (): Promise<string> => (await analysis()).snapshot_id;
const makers = async (query = "", { execution = TX_HASH, spelling = "large-trades" } = {}) =>
  api.get(
    `/api/v1/${spelling}/${id}/counterparties/executions/${execution}/makers?snapshot_id=${await snapshot()}${query}`,
  );

describe("counterparty analysis", () => {
  test("the analysis names the reason why makers are unavailable and shows no execution", async () => {
    const noExecution = {
      status: "unavailable",
      execution_count: 1,
      available_execution_count: 0,
      unavailable_execution_count: 1,
      executions: [],
    };
    const unavailable = (reason: string) => [
      { id: TX_HASH, transaction_hash: TX_HASH, reason, makers_available: false },
    ];
    expect(await analysis()).toMatchObject({
      ...noExecution,
      unavailable_reason: "No maker of this trade is recorded.",
      unavailable_executions: unavailable("no_maker_fills"),
    });
    await seller(19_999.999999);
    expect(await analysis()).toMatchObject({
      ...noExecution,
      unavailable_executions: unavailable("missing_maker_fills"),
    });
    await seller(1);
    expect(await analysis()).toMatchObject({
      ...noExecution,
      unavailable_executions: unavailable("surplus_maker_fills"),
    });
  });

  test("an execution without a log index is not shown but leads to its makers", async () => {
    await seller(15_000);
    await seller(5_000);
    const found = await analysis();
    expect(found).toMatchObject({ status: "unavailable", available_execution_count: 0, executions: [] });
    expect(found.unavailable_executions).toEqual([
      { id: TX_HASH, transaction_hash: TX_HASH, reason: "log_index_unknown", makers_available: true, maker_count: 2 },
    ]);
    // A client gets from the trade to its makers by these fields alone.
    const [{ id: execution_id }] = found.unavailable_executions;
    const path = `/api/v1/large-trades/wt_${id}/counterparties/executions/${execution_id}/makers?snapshot_id=${found.snapshot_id}`;
    const { status, body } = await api.get(path);
    expect({ status, makers: body.data.items.map((maker: { filled_shares: string }) => maker.filled_shares) }).toEqual({
      status: 200,
      makers: ["15000.000000", "5000.000000"],
    });
  });

  test("the analysis keeps its snapshot id until further fills are recorded", async () => {
    await seller(15_000);
    const before = await analysis();
    expect(await analysis()).toEqual(before);
    // A trader's name and grade today are not part of the snapshot.
    await db.update(traders).set({ username: "Ada", grade: "S" });
    expect(await analysis()).toEqual(before);
    await seller(5_000);
    expect(before.snapshot_id).not.toBe((await analysis()).snapshot_id);
    const path = `/api/v1/large-trades/${id}/counterparties/executions`;
    for (const expired of [path, `${path}/${TX_HASH}/makers`]) {
      const refusal = errorOf(await api.get(`${expired}?snapshot_id=${before.snapshot_id}`));
      expect({ expired, ...refusal }).toEqual({ expired, status: 400, reason: "cursor_expired", param: "cursor" });
    }
  });

  test("the executions route returns the analysis of the trade", async () => {
    await seller(20_000);
    const path = `/api/v1/large-trades/${id}/counterparties/executions`;
    const response = await api.get(`${path}?snapshot_id=${await snapshot()}`);
    expect(response.body).toMatchObject({ object: "counterparty_analysis", data: await analysis() });
    expect(
      (
        await api.get(`${path}?snapshot_id=${await snapshot()}`, {
          "if-none-match": response.headers.get("etag") ?? "",
        })
      ).status,
    ).toBe(304);
    expect(errorOf(await api.get(path))).toEqual({ status: 400, reason: "invalid_query", param: "snapshot_id" });
    expect(errorOf(await api.get(`${path}?snapshot_id=${await snapshot()}&cursor=x`))).toMatchObject({
      status: 400,
      param: "cursor",
    });
  });
});

describe("an execution whose log was read from the chain", () => {
  /** The logs of all fills of the transaction, as of one taker order. */
  const readFromChain = async (ordersMatched: number | null, exchange = 2) => {
    const entries = await db.select({ id: ledgerEntries.id }).from(ledgerEntries);
    for (const entry of entries) await aFillLog(db, entry.id, { ordersMatched, exchange });
  };

  test("is shown with its taker and its makers", async () => {
    const ada = await seller(15_000, { username: "Ada", grade: "A" });
    const other = await minter(5_000);
    await readFromChain(57);
    const found = await analysis();
    const { items } = (await makers()).body.data;
    expect(items.map((item: { execution_wallet: string }) => item.execution_wallet)).toEqual([
      ada.address,
      other.address,
    ]);
    expect(found).toEqual({
      status: "available",
      snapshot_id: found.snapshot_id,
      analysis_id: found.analysis_id,
      execution_count: 1,
      available_execution_count: 1,
      unavailable_execution_count: 0,
      executions: [
        {
          execution_id: TX_HASH,
          exchange_family: "ctf_v2",
          transaction_hash: TX_HASH,
          orders_matched_log_index: 57,
          taker: expect.objectContaining({
            maker_fill_count: 2,
            filled_shares: "20000.000000",
            filled_usdc: "12000.000000",
            share_pct: "100.000000",
            match_breakdown: [
              { match_type: "COMPLEMENTARY", maker_fill_count: 1, filled_shares: "15000.000000" },
              { match_type: "MINT", maker_fill_count: 1, filled_shares: "5000.000000" },
            ],
          }),
          makers: items,
        },
      ],
      unavailable_executions: [],
    });
    const [taker] = await db.select({ traderId: largeTrades.traderId }).from(largeTrades);
    expect(found.executions[0].taker.resolved_user_id).toBe(`trd_${taker?.traderId}`);
    const path = `/api/v1/whale-trades/${id}/counterparties/executions?snapshot_id=${found.snapshot_id}`;
    const { body } = await api.get(path);
    expect(body.data).toEqual(found);
    expect(departures("CounterpartyAnalysisResponse", body)).toEqual([]);
  });

  test("is a new snapshot, because the analysis before it did not show the execution", async () => {
    await seller(20_000);
    const before = await analysis();
    await readFromChain(57);
    const after = await analysis();
    expect([after.snapshot_id, after.analysis_id]).not.toContain(before.snapshot_id);
    expect(after.analysis_id).not.toBe(before.analysis_id);
    const path = `/api/v1/large-trades/${id}/counterparties/executions?snapshot_id=${before.snapshot_id}`;
    expect(errorOf(await api.get(path))).toEqual({ status: 400, reason: "cursor_expired", param: "cursor" });
  });

  test.each([
    ["the neg-risk exchange of 2026", 3, "neg_risk_ctf_v2"],
    ["the exchange of 2026", 2, "ctf_v2"],
  ])("names %s", async (_, number, name) => {
    await seller(20_000);
    await readFromChain(57, number);
    expect((await analysis()).executions).toMatchObject([{ exchange_family: name }]);
  });

  test.each([
    ["an exchange of 2022", 0],
    ["the neg-risk exchange of 2022", 1],
    ["the exchange of combinations", 4],
  ])("is not shown for %s, which exchange_family cannot name, but leads to its makers", async (_, number) => {
    await seller(20_000);
    await readFromChain(57, number);
    expect(await analysis()).toMatchObject({
      status: "unavailable",
      executions: [],
      unavailable_executions: [{ id: TX_HASH, reason: "exchange_not_listed", makers_available: true, maker_count: 1 }],
    });
    expect((await makers()).body.data.items).toHaveLength(1);
  });

  test("is not shown while its OrdersMatched event is unknown", async () => {
    await seller(20_000);
    await readFromChain(null);
    expect(await analysis()).toMatchObject({
      status: "unavailable",
      unavailable_executions: [{ reason: "log_index_unknown", makers_available: true }],
    });
  });

  test("is not shown while a maker is missing", async () => {
    await seller(15_000);
    await readFromChain(57);
    expect(await analysis()).toMatchObject({
      status: "unavailable",
      executions: [],
      unavailable_executions: [{ reason: "missing_maker_fills", makers_available: false }],
    });
  });

  test("has twenty makers in the analysis, and the others under its cursor", async () => {
    for (let shares = 801; shares <= 824; shares++) await seller(shares);
    await seller(500);
    await readFromChain(57);
    const [execution] = (await analysis()).executions;
    expect(execution.makers).toHaveLength(20);
    const rest = (await makers(`&cursor=${execution.makers_next_cursor}`)).body.data;
    expect(rest).not.toHaveProperty("next_cursor");
    const all = (await makers("&limit=100")).body.data.items;
    expect([...execution.makers, ...rest.items]).toEqual(all);
    expect(all).toHaveLength(25);
  });

  test("is one of two taker orders of its transaction", async () => {
    const second = await aTakerTrade(db, {
      trader: await aSeededTrader(db),
      market,
      side: "SELL",
      shares: 30_000,
      price: "0.6",
      tx: TX,
    });
    const first = await seller(20_000);
    const buyer = await aSeededTrader(db);
    await aFill(db, { trader: buyer, market, shares: 30_000, price: "0.6", tx: TX });
    expect(await analysis()).toMatchObject({
      status: "unavailable",
      unavailable_executions: [{ reason: "several_taker_orders", makers_available: false }],
    });
    const entries = await db.select({ id: ledgerEntries.id, shares: ledgerEntries.sharesMicro }).from(ledgerEntries);
    for (const entry of entries)
      await aFillLog(db, entry.id, { ordersMatched: entry.shares === 20_000_000_000n ? 57 : 64 });
    expect((await analysis()).executions).toMatchObject([
      { orders_matched_log_index: 57, makers: [{ execution_wallet: first.address, share_pct: "100.000000" }] },
    ]);
    id = second;
    expect((await analysis()).executions).toMatchObject([
      { orders_matched_log_index: 64, makers: [{ execution_wallet: buyer.address, share_pct: "100.000000" }] },
    ]);
    expect((await makers()).body.data.items).toHaveLength(1);
  });
});

describe("makers of an execution", () => {
  test("makers have exact figures and their trader's current facts", async () => {
    const totals = { lastAt: new Date("2026-11-20T13:00:00Z") };
    const ada = await seller(15_000, { username: "Ada", grade: "A", totals });
    await db.update(traders).set({ tier: "hot" }).where(eq(traders.id, ada.id));
    const other = await minter(5_000);
    const { body } = await makers();
    expect(body).toMatchObject({
      object: "counterparty_maker_page",
      data: { execution_id: TX_HASH, snapshot_id: await snapshot() },
    });
    expect(body.data).not.toHaveProperty("next_cursor");
    expect(body.data.items).toEqual([
      {
        counterparty_key: ada.address,
        execution_wallet: ada.address,
        identity_status: "resolved",
        resolved_user_id: `trd_${ada.id}`,
        display_name: "Ada",
        grade: "A",
        last_traded_at: "2026-11-20T13:00:00.000Z",
        profile_segment: "@Ada",
        maker_fill_count: 1,
        filled_shares: "15000.000000",
        filled_usdc: "9000.000000",
        share_pct: "75.000000",
        match_breakdown: [{ match_type: "COMPLEMENTARY", maker_fill_count: 1, filled_shares: "15000.000000" }],
      },
      {
        counterparty_key: other.address,
        execution_wallet: other.address,
        identity_status: "resolved",
        resolved_user_id: `trd_${other.id}`,
        maker_fill_count: 1,
        filled_shares: "5000.000000",
        filled_usdc: "2000.000000",
        share_pct: "25.000000",
        match_breakdown: [{ match_type: "MINT", maker_fill_count: 1, filled_shares: "5000.000000" }],
      },
    ]);
  });

  test("makers with a shared name have their address as profile segment", async () => {
    const ada = await seller(20_000, { username: "Ada" });
    await db.update(traders).set({ tier: "warm" }).where(eq(traders.id, ada.id));
    await aSeededTrader(db, { username: "aDA" });
    expect((await makers()).body.data.items).toMatchObject([{ display_name: "Ada", profile_segment: ada.address }]);
  });

  test("a walk returns every maker once with shares of the whole execution, under both spellings", async () => {
    for (const shares of [4_000, 6_000, 4_000, 5_000, 1_000]) await seller(shares);
    const walked: string[] = [];
    for (let cursor = "", spelling = "large-trades"; ; spelling = "whale-trades") {
      const { body } = await makers(`&limit=2${cursor}`, { spelling });
      walked.push(...body.data.items.map((item: { share_pct: string }) => item.share_pct));
      if (body.data.next_cursor === undefined) break;
      cursor = `&cursor=${body.data.next_cursor}`;
    }
    expect(walked).toEqual(["30.000000", "25.000000", "20.000000", "20.000000", "5.000000"]);
    expect((await makers("&limit=5")).body.data).not.toHaveProperty("next_cursor");
  });

  test("a maker cursor of another execution or with changes is refused", async () => {
    await seller(15_000);
    await seller(5_000);
    const cursor: string = (await makers("&limit=1")).body.data.next_cursor;
    for (const wrong of [cursor.slice(0, -1), "x", `wte_${cursor.slice(4)}`]) {
      const refusal = errorOf(await makers(`&cursor=${wrong}`));
      expect({ wrong, ...refusal }).toEqual({ wrong, status: 400, reason: "invalid_query", param: "cursor" });
    }
    await aFill(db, { trader: await aSeededTrader(db), market, side: "SELL", shares: 1, tx: TX });
    const path = `/api/v1/large-trades/${id}/counterparties/executions/${TX_HASH}/makers`;
    expect((await api.get(`${path}?snapshot_id=${await snapshot()}&cursor=${cursor}`)).status).toBe(404);
  });

  test("makers return 404 when they are incomplete, and for an unknown execution or trade", async () => {
    expect(errorOf(await makers())).toEqual({ status: 404, reason: undefined, param: "execution_id" });
    await seller(20_000);
    expect((await makers()).status).toBe(200);
    expect(errorOf(await makers("", { execution: "0x1" }))).toEqual({
      status: 404,
      reason: undefined,
      param: "execution_id",
    });
    const unknownTrade = await api.get(
      `/api/v1/large-trades/999/counterparties/executions/${TX_HASH}/makers?snapshot_id=x`,
    );
    expect(errorOf(unknownTrade)).toEqual({ status: 404, reason: undefined, param: "id" });
  });

  test("the deprecated makers route names its successor", async () => {
    await seller(20_000);
    const { headers } = await makers("", { spelling: "whale-trades" });
    expect(headers.get("link")).toContain(
      `</api/v1/large-trades/${id}/counterparties/executions/${TX_HASH}/makers>; rel="successor-version"`,
    );
  });
});
