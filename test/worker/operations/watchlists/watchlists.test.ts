import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aPublishedLargeTrade, passHorizon } from "../../../support/seed/large-trades.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { openWebhookApi, webhookErrorOf, type Owner, type WebhookApi } from "../../../support/webhooks/webhook-api.ts";

const LISTS = "/api/v1/watchlists";
const REPLAY = "/api/v1/events/feed/since";
const ANN = `0x${"aB".repeat(20)}`;
const BOB = `0x${"0b".repeat(20)}`;
const EVE = `0x${"ee".repeat(20)}`;

const UNKNOWN = "watchlist=wl_999999999";

let database: TestDatabase;
let api: WebhookApi;
let owner: Owner;
let stranger: Owner;

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  api = await openWebhookApi(database);
  owner = await api.owner();
  stranger = await api.owner();
});

/** Creates a list. @returns its id */
async function aList(of: Owner, wallets: readonly string[], name = "list"): Promise<string> {
  const { status, text, body } = await of.send("POST", LISTS, { name, wallets });
  if (status !== 200) throw new Error(text);
  return body.data.id;
}

const hook = (tradeFilters: object) => ({
  name: "hook",
  url: `https://hooks-${crypto.randomUUID()}.example.com/in`,
  event_types: ["large_trade_inserted_v2"],
  trade_filters: tradeFilters,
});

describe("a list", () => {
  test("a list is created, read, replaced, listed and deleted", async () => {
    const own = await api.owner();
    const created = await own.send("POST", LISTS, { name: "Desks", wallets: [BOB, ANN, ANN.toLowerCase(), BOB] });
    expect(created.body).toMatchObject({ object: "watchlist" });
    const summary = created.body.data;
    expect(summary).toEqual({
      id: expect.stringMatching(/^wl_[1-9]\d*$/),
      object: "watchlist",
      name: "Desks",
      wallet_count: 2,
      created_at: expect.any(String),
      updated_at: summary.created_at,
    });
    const path = `${LISTS}/${summary.id}`;
    expect((await own.get(path)).body.data).toEqual({ ...summary, wallets: [BOB, ANN.toLowerCase()] });
    const replaced = await own.send("PUT", path, { name: "Empty", wallets: [] });
    expect(replaced.body.data).toMatchObject({ id: summary.id, name: "Empty", wallet_count: 0 });
    expect((await own.get(path)).body.data.wallets).toEqual([]);
    const second = await aList(own, [EVE], "Second");
    const listed = (await own.get(LISTS)).body;
    expect(listed).toMatchObject({ object: "list", has_more: false, total: 2 });
    expect(listed.data).toMatchObject([
      { id: summary.id, name: "Empty", wallet_count: 0 },
      { id: second, name: "Second", wallet_count: 1 },
    ]);
    expect(listed.data[0]).not.toHaveProperty("wallets");
    const deleted = await own.send("DELETE", path);
    expect(deleted.body.data).toEqual({ id: summary.id, object: "watchlist", deleted: true });
    expect((await own.get(LISTS)).body.data).toMatchObject([{ id: second }]);
    expect(webhookErrorOf(await own.send("DELETE", path))).toEqual({
      status: 404,
      reason: null,
      param: "watchlist_id",
    });
  });

  test("the same content again changes nothing, in any order and case", async () => {
    const path = `${LISTS}/${await aList(owner, [ANN, BOB])}`;
    const before = (await owner.get(path)).body.data;
    const again = await owner.send("PUT", path, {
      name: "list",
      wallets: [BOB.toUpperCase().replace("0X", "0x"), ANN],
    });
    expect(again.body.data.updated_at).toBe(before.updated_at);
    expect((await owner.get(path)).body.data).toEqual(before);
  });

  test("a list is created once for an Idempotency-Key", async () => {
    const own = await api.owner();
    const body = { name: "once", wallets: [ANN] };
    const send = () => own.send("POST", LISTS, body, { "idempotency-key": "one" });
    const [first, second] = [await send(), await send()];
    expect(second.body.data).toEqual(first.body.data);
    expect((await own.get(LISTS)).body.total).toBe(1);
  });

  test("an account has 20 lists at most, and a list 5,000 addresses", async () => {
    const own = await api.owner();
    const addresses = Array.from({ length: 5_001 }, (_, n) => `0x${n.toString(16).padStart(40, "0")}`);
    const full = await aList(own, addresses.slice(1));
    expect((await own.get(`${LISTS}/${full}`)).body.data.wallets).toEqual(addresses.slice(1));
    const long = await own.send("PUT", `${LISTS}/${full}`, { name: "long", wallets: addresses });
    expect(webhookErrorOf(long)).toEqual({ status: 400, reason: "invalid_body", param: "wallets" });
    for (let n = 2; n <= 20; n++) await aList(own, []);
    const refused = await own.send("POST", LISTS, { name: "one more", wallets: [] });
    expect(webhookErrorOf(refused)).toEqual({ status: 409, reason: null, param: null });
    await own.send("DELETE", `${LISTS}/${full}`);
    await aList(own, []);
  });

  test.each<[string, unknown, string]>([
    ["no name", { wallets: [] }, "name"],
    ["an empty name", { name: "", wallets: [] }, "name"],
    ["a long name", { name: "n".repeat(101), wallets: [] }, "name"],
    ["no wallets", { name: "list" }, "wallets"],
    ["null wallets", { name: "list", wallets: null }, "wallets"],
    ["a text as wallets", { name: "list", wallets: ANN }, "wallets"],
    ["a short address", { name: "list", wallets: [ANN, "0x12"] }, "wallets[1]"],
    ["an id in place of an address", { name: "list", wallets: ["trd_1"] }, "wallets[0]"],
    ["null in place of an address", { name: "list", wallets: [null] }, "wallets[0]"],
    ["an unknown member", { name: "list", wallets: [], colour: 1 }, "colour"],
    ["an array", [], "body"],
  ])("a body with %s is refused", async (_, body, param) => {
    const path = `${LISTS}/${await aList(stranger, []).catch(() => "wl_1")}`;
    for (const response of [await stranger.send("POST", LISTS, body), await stranger.send("PUT", path, body)])
      expect(webhookErrorOf(response)).toEqual({ status: 400, reason: "invalid_body", param });
  });

  test.each(["1", "wl_0", "wl_01", "wl_", "WL_1", "wl_1x", "trd_1", "wl_1234567890123456", "wl_1%20"])(
    "the id %s is refused",
    async (id) => {
      for (const response of [
        await owner.get(`${LISTS}/${id}`),
        await owner.send("PUT", `${LISTS}/${id}`, { name: "list", wallets: [] }),
        await owner.send("DELETE", `${LISTS}/${id}`),
      ])
        expect(webhookErrorOf(response)).toEqual({ status: 400, reason: "invalid_path", param: "watchlist_id" });
    },
  );

  test("a key needs the scope read, and an active subscription", async () => {
    const [unscoped, free] = [await api.owner({ scopes: ["webhooks", "usage"] }), await api.owner({ plan: "free" })];
    const requests = (of: Owner) => [
      of.get(LISTS),
      of.send("POST", LISTS, { name: "list", wallets: [] }),
      of.get(`${LISTS}/wl_1`),
      of.send("PUT", `${LISTS}/wl_1`, { name: "list", wallets: [] }),
      of.send("DELETE", `${LISTS}/wl_1`),
    ];
    for (const { status, body } of await Promise.all(requests(unscoped)))
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: "insufficient_scope" });
    for (const { status } of await Promise.all(requests(free))) expect(status).toBe(402);
  });
});

describe("another account's list", () => {
  /** A response without what differs between any two requests. */
  const bytesOf = ({ status, text }: { status: number; text: string }) => ({
    status,
    text: text.replaceAll(/req_[A-Za-z0-9_-]+/g, "req"),
  });

  test("another account's id is answered byte for byte as an id that does not exist", async () => {
    const id = await aList(owner, [ANN]);
    const endpoint = await stranger.create();
    const requests = (list: string) => [
      stranger.get(`${LISTS}/${list}`),
      stranger.send("PUT", `${LISTS}/${list}`, { name: "mine", wallets: [EVE] }),
      stranger.send("DELETE", `${LISTS}/${list}`),
      stranger.get(`${REPLAY}?watchlist=${list}`),
      stranger.send("POST", "/api/v1/webhooks", hook({ watchlist: list })),
      stranger.send("PATCH", `/api/v1/webhooks/${endpoint.id}`, { trade_filters: { watchlist: list } }),
    ];
    const [foreign, absent] = [await Promise.all(requests(id)), await Promise.all(requests("wl_999999999"))];
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 400, 400, 400]);
    expect(foreign.map(bytesOf)).toEqual(absent.map(bytesOf));
    expect((await owner.get(`${LISTS}/${id}`)).body.data.wallets).toEqual([ANN.toLowerCase()]);
    expect((await stranger.get(`/api/v1/webhooks/${endpoint.id}`)).body.data.trade_filters).toEqual({});
  });
});

describe("a webhook endpoint's filter", () => {
  test("an endpoint filters by a list of its account, which then cannot be deleted", async () => {
    const id = await aList(owner, [ANN]);
    const endpoint = await owner.create({ trade_filters: { watchlist: id } });
    expect(endpoint.trade_filters).toEqual({ watchlist: id });
    const refused = await owner.send("DELETE", `${LISTS}/${id}`);
    expect(webhookErrorOf(refused)).toEqual({ status: 409, reason: null, param: "watchlist_id" });
    await owner.send("PATCH", `/api/v1/webhooks/${endpoint.id}`, { enabled: false });
    expect((await owner.send("DELETE", `${LISTS}/${id}`)).status).toBe(409);
    await owner.send("PATCH", `/api/v1/webhooks/${endpoint.id}`, { trade_filters: { wallets: [ANN, BOB] } });
    expect((await owner.send("DELETE", `${LISTS}/${id}`)).status).toBe(200);
    const patched = await owner.send("PATCH", `/api/v1/webhooks/${endpoint.id}`, { trade_filters: { watchlist: id } });
    expect(webhookErrorOf(patched)).toEqual({ status: 400, reason: "invalid_body", param: "trade_filters.watchlist" });
    const { trade_filters } = (await owner.get(`/api/v1/webhooks/${endpoint.id}`)).body.data;
    expect(trade_filters).toEqual({ wallets: [ANN, BOB] });
    await owner.send("DELETE", `/api/v1/webhooks/${endpoint.id}`);
  });

  test("a list that is deleted while an endpoint is created with it never has an endpoint", async () => {
    const own = await api.owner();
    for (let round = 0; round < 5; round++) {
      const id = await aList(own, [ANN]);
      const [created, deleted] = await Promise.all([
        own.send("POST", "/api/v1/webhooks", hook({ watchlist: id })),
        own.send("DELETE", `${LISTS}/${id}`),
      ]);
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([created.status, deleted.status]);
      if (created.status === 200) await own.send("DELETE", `/api/v1/webhooks/${created.body.data.id}`);
    }
  });

  test.each<[object, string]>([
    [{ wallets: [] }, "trade_filters.wallets"],
    [{ wallets: null }, "trade_filters.wallets"],
    [{ wallets: ["0x12"] }, "trade_filters.wallets[0]"],
    [{ wallets: Array.from({ length: 26 }, () => ANN) }, "trade_filters.wallets"],
    [{ watchlist: "5" }, "trade_filters.watchlist"],
    [{ watchlist: null }, "trade_filters.watchlist"],
    [{ wallet: ANN, wallets: [BOB] }, "trade_filters"],
    [{ wallets: [BOB], watchlist: "wl_1" }, "trade_filters"],
  ])("the filters %j are refused", async (filters, param) => {
    const response = await owner.send("POST", "/api/v1/webhooks", hook(filters));
    expect(webhookErrorOf(response)).toEqual({ status: 400, reason: "invalid_body", param });
  });
});

describe("the replay", () => {
  test("the replay filters by several wallets and by a list as it is at each read", async () => {
    const traders = [await aSeededTrader(api.db), await aSeededTrader(api.db), await aSeededTrader(api.db)];
    const trades: number[] = [];
    for (const trader of [...traders, ...traders]) trades.push(await aPublishedLargeTrade(api.db, { trader }));
    await passHorizon(api.db);
    const [ann = "", bob = "", eve = ""] = traders.map(({ address }) => address);
    const read = async (query: string): Promise<number[]> => {
      const { status, body, text } = await owner.get(`${REPLAY}?${query}`);
      if (status !== 200) throw new Error(text);
      return body.data.map(({ sequence }: { sequence: number }) => trades.indexOf(sequence));
    };
    expect(await read(`wallet=${ann}&wallet=${eve.toUpperCase().replace("0X", "0x")}`)).toEqual([0, 2, 3, 5]);
    expect(await read(`wallet[]=${bob},${eve}`)).toEqual([1, 2, 4, 5]);
    expect(await read(`wallet=${ann}&trader=${bob}`)).toEqual([]);
    const id = await aList(owner, [ann, bob]);
    expect(await read(`watchlist=${id}`)).toEqual([0, 1, 3, 4]);
    expect(await read(`watchlist=${id}&trader=${bob}`)).toEqual([1, 4]);
    const first = await owner.get(`${REPLAY}?watchlist=${id}`);
    expect(first.body.meta.replay.filters).toEqual({ watchlist: id });
    const { from_cursor: start } = first.body.meta.replay;
    const page = await owner.get(`${REPLAY}?watchlist=${id}&limit=2&cursor=${start}`);
    expect(page.body.data.map(({ sequence }: any) => trades.indexOf(sequence))).toEqual([0, 1]);
    await owner.send("PUT", `${LISTS}/${id}`, { name: "list", wallets: [eve] });
    expect(await read(`watchlist=${id}&cursor=${page.body.next_cursor}`)).toEqual([2, 5]);
    expect(await read(`watchlist=${await aList(owner, [])}`)).toEqual([]);
    await owner.send("DELETE", `${LISTS}/${id}`);
    const gone = await owner.get(`${REPLAY}?watchlist=${id}&cursor=${page.body.next_cursor}`);
    expect(webhookErrorOf(gone)).toEqual({ status: 400, reason: "invalid_query", param: "watchlist" });
  });

  test("a cursor is valid only with the same wallets or list, in any order", async () => {
    const id = await aList(owner, [ANN]);
    const { next_cursor: cursor } = (await owner.get(`${REPLAY}?wallet=${ANN}&wallet=${BOB}`)).body;
    expect((await owner.get(`${REPLAY}?wallet=${BOB},${ANN}&cursor=${cursor}`)).status).toBe(200);
    for (const query of ["", `wallet=${ANN}`, `watchlist=${id}`])
      expect(webhookErrorOf(await owner.get(`${REPLAY}?${query}&cursor=${cursor}`))).toEqual({
        status: 400,
        reason: "cursor_expired",
        param: "cursor",
      });
  });

  test.each([
    ["wallet=", "wallet"],
    [`wallet=${ANN}&wallet=`, "wallet"],
    ["wallet=trd_1", "wallet"],
    [Array.from({ length: 26 }, () => `wallet=${ANN}`).join("&"), "wallet"],
    ["watchlist=", "watchlist"],
    ["watchlist=5", "watchlist"],
    ["watchlist=wl_1&watchlist=wl_2", "watchlist"],
    [UNKNOWN, "watchlist"],
    [`watchlist=wl_1&wallet=${ANN}`, "watchlist"],
  ])("the query %s is refused", async (query, param) => {
    // The stream's look-up of an unknown list is tested with its objects.
    for (const path of query === UNKNOWN ? [REPLAY] : [REPLAY, "/api/v1/stream"])
      expect(webhookErrorOf(await owner.get(`${path}?${query}`))).toEqual({
        status: 400,
        reason: "invalid_query",
        param,
      });
  });
});
