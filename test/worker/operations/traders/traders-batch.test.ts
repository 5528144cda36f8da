import { expect, test } from "vitest";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { openApi } from "../../../support/api/api-under-test.ts";
import { countStatements } from "../../../support/database/count-statements.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const BATCH = "/api/v1/traders/batch";
const UNSEEN = `0x${"e".repeat(40)}`;
const SYNCED_AT = new Date("2026-11-20T12:00:00Z");

test("batch items keep their order and repeats, each with its trader or its own error", async () => {
  const { api, db } = await openFreshApi();
  const named = await aSeededTrader(db, {
    username: "Theo4",
    completeAt: SYNCED_AT,
    totals: { realizedMicro: 5_000_000n },
  });
  const other = await aSeededTrader(db);
  const traders = ["theo4", other.address, "nobody", `trd_${named.id}`, UNSEEN, "mkt_1", "THEO4"];
  const { status, body } = await api.post(BATCH, { traders });
  expect(status).toBe(200);
  expect(body.object).toBe("trader_batch");
  const rows: {
    index: number;
    input: string;
    status: string;
    data?: { id: string; sync_status: string };
    error?: object;
  }[] = body.data;
  expect(rows.map(({ index, input }) => [index, input])).toEqual(traders.map((input, index) => [index, input]));
  const ids = [named.id, other.id, null, named.id, null, null, named.id].map((id) =>
    id === null ? undefined : `trd_${id}`,
  );
  expect(rows.map(({ data }, index) => (index === 4 ? undefined : data?.id))).toEqual(ids);
  expect(rows[4]).toMatchObject({ status: "ok", data: { address: UNSEEN, sync_status: "unknown" } });
  expect(rows[2]).toEqual({
    index: 2,
    input: "nobody",
    status: "error",
    error: {
      code: "not_found",
      message: expect.any(String),
      doc_url: expect.stringMatching(/^http/),
      param: "traders",
    },
  });
  expect(rows[5]).toMatchObject({ status: "error", error: { code: "bad_request", param: "traders" } });
});

test("a batch item equals the trader's own response, with the same expand", async () => {
  const { api, db } = await openFreshApi();
  const { address } = await aSeededTrader(db, {
    username: "Theo4",
    completeAt: SYNCED_AT,
    totals: { realizedMicro: 5_000_000n },
  });
  const { body } = await api.post(BATCH, { traders: ["Theo4"], expand: ["trust", "everything"] });
  expect(body.data[0].data).toEqual((await api.get(`/api/v1/trader/${address}?expand=trust`)).body.data);
  expect(body.data[0].data).toHaveProperty("trust");
  expect((await api.post(BATCH, { traders: ["Theo4"] })).body.data[0].data).not.toHaveProperty("trust");
});

test("meta counts items and units, and the headers match", async () => {
  const { api } = await openFreshApi();
  const { headers, body } = await api.post(BATCH, { traders: [UNSEEN, UNSEEN, "nobody"] });
  expect(body.meta).toEqual({
    request_id: headers.get("x-request-id"),
    cached: false,
    total_items: 3,
    successful_items: 2,
    failed_items: 1,
    request_cost: 3,
    rate_limit: {
      basis: "batch_items_per_minute",
      limit: 100,
      remaining: 97,
      reset: Number(headers.get("x-batch-ratelimit-reset")),
    },
  });
  expect(headers.get("x-request-cost")).toBe("3");
  expect(headers.get("x-batch-ratelimit-remaining")).toBe("97");
});

test.each([
  { is: "no item", body: { traders: [] }, param: "traders" },
  { is: "26 items", body: { traders: Array.from({ length: 26 }, () => UNSEEN) }, param: "traders" },
  { is: "an item that is not a string", body: { traders: [UNSEEN, 7] }, param: "traders[1]" },
  { is: "an empty item", body: { traders: [""] }, param: "traders[0]" },
  { is: "no list", body: {}, param: "traders" },
  { is: "an unknown field", body: { traders: [UNSEEN], wallets: [] }, param: "wallets" },
])("a batch body with $is is refused before a unit is reserved", async ({ body, param }) => {
  const { api } = await openFreshApi();
  const response = await api.post(BATCH, body);
  expect(errorOf(response)).toEqual({ status: 400, reason: "invalid_body", param });
  expect(response.headers.has("x-request-cost")).toBe(false);
});

test("twenty-five traders take as many statements as one", async () => {
  const database = await createTestDatabase();
  const wallets = [];
  for (let i = 0; i < 25; i++)
    wallets.push(await aSeededTrader(database.db, { username: `name${i}`, completeAt: SYNCED_AT }));
  const { db, sent } = countStatements(database.db);
  const api = await openApi(db, OPERATIONS);
  const statementsOf = async (traders: string[]) => {
    const before = sent();
    const { body } = await api.post(BATCH, { traders });
    expect(body.meta.successful_items).toBe(traders.length);
    return sent() - before;
  };
  // The first request also reads the account of the key.
  await statementsOf([wallets[0]?.address ?? ""]);
  const one = await statementsOf([wallets[0]?.address ?? ""]);
  // The meter of these tests reads the credential with every request; one statement reads the traders.
  expect(one).toBe(2);
  expect(await statementsOf(wallets.map(({ address }, index) => (index % 2 === 0 ? address : `name${index}`)))).toBe(
    one,
  );
});
