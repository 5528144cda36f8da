import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { webhookDeliveries, webhookEndpoints } from "../../../../src/db/schema.ts";
import { CONTRACT_EVENT_NAMES, departures } from "../../../contract/contract.ts";
import { someDeliveries } from "../../../support/seed/webhooks.ts";
import { storedDeliveries, storedEndpoint } from "../../../support/webhooks/drain-settings.ts";
import { openWebhookApi, webhookErrorOf, type WebhookApi, type Owner } from "../../../support/webhooks/webhook-api.ts";

const WEBHOOKS = "/api/v1/webhooks";
/** 1,000 characters that are nine bytes each when percent-encoded, without a compressible pattern. */
const LONG_WHEN_ENCODED = String.fromCharCode(
  ...Array.from({ length: 1_000 }, (_, n) => 0x4e00 + ((n * 7_919) % 20_000)),
);
const PUBLIC = { kind: "addresses", addresses: ["1.1.1.1"] } as const;

let managed: WebhookApi;
let owner: Owner;

beforeEach(async () => {
  managed = await openWebhookApi();
  owner = await managed.owner();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Fixes the clock. The test advances it. */
function atNoon(): number {
  const noon = Date.parse("2031-03-05T12:00:00Z");
  vi.useFakeTimers({ toFake: ["Date"], now: noon });
  return noon;
}

const body = (facts: object = {}) => ({
  name: "hook",
  url: "https://hooks.example.com/in",
  event_types: ["trader_synced"],
  ...facts,
});

describe("new endpoint", () => {
  test("a new endpoint waits for verification and shows its secret and token only in the creating response", async () => {
    atNoon();
    const filters = { condition_id: "mkt_7", wallet: `0x${"aB".repeat(20)}`, min_grade: "B", min_size_usd: "25000.5" };
    const created = await owner.send(
      "POST",
      WEBHOOKS,
      body({ trade_filters: filters, event_types: ["whale_trader_synced", "trader_synced"] }),
    );
    expect(departures("WebhookResponse", created.body)).toEqual([]);
    expect(created.body.data).toEqual({
      ...{
        id: expect.any(Number),
        object: "webhook",
        name: "hook",
        url: "https://hooks.example.com/in",
        trade_filters: filters,
      },
      ...{
        event_types: ["whale_trader_synced", "trader_synced"],
        status: "pending_verification",
        verified_at: null,
        failure_count: 0,
      },
      verification_token_expires_at: "2031-03-06T12:00:00.000Z",
      ...{ created_at: "2031-03-05T12:00:00.000Z", updated_at: "2031-03-05T12:00:00.000Z" },
      retry_policy: {
        ...{
          max_attempts: 8,
          terminal_status: "dead_letter",
          retry_horizon_seconds: 504,
          disable_after_consecutive_failures: 8,
        },
      },
      secret_rotation: { status: "idle", overlap_expires_at: null },
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{43}$/),
      verification: { token: expect.stringMatching(/^whv_[0-9a-f]{32}$/), expires_at: "2031-03-06T12:00:00.000Z" },
    });
    const { id, signing_secret: secret, verification, ...publicFields } = created.body.data;
    const read = await owner.get(`${WEBHOOKS}/${id}`);
    expect(read.body.data).toEqual({ id, ...publicFields });
    const listed = await owner.get(WEBHOOKS);
    expect(departures("WebhookListResponse", listed.body)).toEqual([]);
    expect(listed.body).toMatchObject({ object: "list", data: [{ id, ...publicFields }], has_more: false, total: 1 });
    for (const text of [
      read.text,
      listed.text,
      managed.logged(),
      JSON.stringify(await managed.db.select().from(webhookEndpoints)),
    ]) {
      expect(text).not.toContain(secret.slice("whsec_".length));
      expect(text).not.toContain(verification.token.slice("whv_".length));
    }
    expect(managed.posted).toEqual([]);
  });

  test("an endpoint is created once for an Idempotency-Key, and repeats show the same secret", async () => {
    const again = () => owner.send("POST", WEBHOOKS, body(), { "idempotency-key": "one" });
    const [first, second] = [await again(), await again()];
    expect(second.body.data).toEqual(first.body.data);
    expect((await owner.get(WEBHOOKS)).body.total).toBe(1);
    const other = await owner.send("POST", WEBHOOKS, body({ name: "other" }), { "idempotency-key": "one" });
    expect(webhookErrorOf(other)).toEqual({ status: 422, reason: null, param: "Idempotency-Key" });
    const [row] = await managed.db.select().from(webhookEndpoints);
    const { rows } = await managed.db.execute("select body from idempotency_records");
    expect(JSON.stringify([row, rows])).not.toContain(first.body.data.signing_secret);
  });

  test("an account has at most ten endpoints, also under concurrency", async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        owner.send("POST", WEBHOOKS, body({ url: `https://hooks.example.com/${n}` })),
      ),
    );
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.map(webhookErrorOf)).toEqual(
      Array.from({ length: 10 }, () => ({ status: 400, reason: null, param: "url" })),
    );
    expect((await owner.get(WEBHOOKS)).body.total).toBe(10);
    const other = await managed.owner();
    expect((await other.send("POST", WEBHOOKS, body())).status).toBe(200);
    const [{ id }] = (await owner.get(WEBHOOKS)).body.data;
    await owner.send("DELETE", `${WEBHOOKS}/${id}`);
    expect((await owner.send("POST", WEBHOOKS, body())).status).toBe(200);
  });

  test("a URL is used once per account in any spelling", async () => {
    const spellings = [
      "https://HOOKS.example.com:443/in",
      "https://hooks.example.com./in",
      "https://hooks.example.com/in#top",
    ];
    const responses = await Promise.all(
      [body().url, ...spellings].map((url) => owner.send("POST", WEBHOOKS, body({ url }))),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(responses.filter(({ status }) => status === 400).map(({ body: { error } }) => error.param)).toEqual([
      "url",
      "url",
      "url",
    ]);
    const other = await managed.owner();
    expect((await other.send("POST", WEBHOOKS, body())).status).toBe(200);
  });

  test.each([
    ["no https", { url: "http://hooks.example.com/in" }, "url"],
    ["another port", { url: "https://hooks.example.com:8080/in" }, "url"],
    ["credentials", { url: "https://me:secret@hooks.example.com/in" }, "url"],
    ["a private address", { url: "https://10.0.0.1/in" }, "url"],
    ["localhost", { url: "https://localhost/in" }, "url"],
    ["no URL", { url: "hooks" }, "url"],
    ["a URL that is too long once it is normalised", { url: `https://hooks.example.com/${LONG_WHEN_ENCODED}` }, "url"],
    ["no events", { event_types: [] }, "event_types"],
    ["an unknown event", { event_types: ["trade"] }, "event_types[0]"],
    ["a name too long", { name: "x".repeat(101) }, "name"],
    ["an unknown filter", { trade_filters: { side: "BUY" } }, "trade_filters.side"],
    ["a size of zero", { trade_filters: { min_size_usd: "0.0" } }, "trade_filters.min_size_usd"],
    ["a size with too many decimals", { trade_filters: { min_size_usd: "1.1234567" } }, "trade_filters.min_size_usd"],
    ["an unknown grade", { trade_filters: { min_grade: "E" } }, "trade_filters.min_grade"],
    ["an invalid wallet", { trade_filters: { wallet: "0x12" } }, "trade_filters.wallet"],
    ["an invalid market", { trade_filters: { condition_id: "trd_7" } }, "trade_filters.condition_id"],
    ["an unknown field", { secret: "mine" }, "secret"],
  ])("an endpoint with %s is refused", async (_, facts, param) => {
    const response = await owner.send("POST", WEBHOOKS, body(facts));
    expect(webhookErrorOf(response)).toEqual({ status: 400, reason: "invalid_body", param });
    expect((await owner.get(WEBHOOKS)).body.total).toBe(0);
  });

  test.each([
    [
      "resolves to a private address beside a public one",
      { kind: "addresses", addresses: ["1.1.1.1", "10.0.0.5"] },
      400,
    ],
    ["does not resolve", { kind: "not_resolved", reason: "it has no address" }, 400],
    ["cannot be looked up", { kind: "unavailable", reason: "away" }, 503],
  ] as const)("an endpoint whose host %s is refused", async (_, resolution, status) => {
    managed.resolution = resolution;
    const response = await owner.send("POST", WEBHOOKS, body(), { "idempotency-key": "k" });
    expect(response.status).toBe(status);
    // From 5 to 10 seconds.
    expect(response.headers.get("retry-after") ?? "none").toMatch(status === 503 ? /^([5-9]|10)$/ : /^none$/);
    managed.resolution = PUBLIC;
    expect((await owner.send("POST", WEBHOOKS, body(), { "idempotency-key": "k" })).status).toBe(200);
  });
});

describe("the verification of an endpoint", () => {
  test("verification accepts the token once or repeatedly and posts nothing", async () => {
    const noon = atNoon();
    const { id, verification } = await owner.create();
    vi.setSystemTime(noon + 24 * 3_600_000 - 1);
    const verify = () => owner.send("POST", `${WEBHOOKS}/${id}/verify`, { verification_token: verification.token });
    const responses = await Promise.all([verify(), verify(), verify()]);
    for (const response of responses) {
      expect(departures("WebhookResponse", response.body)).toEqual([]);
      expect(response.body.data).toMatchObject({ id, status: "active", verified_at: "2031-03-06T11:59:59.999Z" });
      expect(response.text).not.toContain("whsec_");
    }
    vi.setSystemTime(noon + 48 * 3_600_000);
    expect((await verify()).body.data).toEqual(responses[0]?.body.data);
    expect(managed.posted).toEqual([]);
  });

  test("verification is refused with another token or an expired one", async () => {
    const noon = atNoon();
    const { id, verification } = await owner.create();
    const verify = (token: string) => owner.send("POST", `${WEBHOOKS}/${id}/verify`, { verification_token: token });
    const refused = { status: 400, reason: null, param: "verification_token" };
    expect(webhookErrorOf(await verify(`whv_${"0".repeat(32)}`))).toEqual(refused);
    expect(webhookErrorOf(await verify((await owner.create()).verification.token))).toEqual(refused);
    vi.setSystemTime(noon + 24 * 3_600_000);
    expect(webhookErrorOf(await verify(verification.token))).toEqual(refused);
    expect((await owner.get(`${WEBHOOKS}/${id}`)).body.data.status).toBe("pending_verification");
    const error = (await verify(verification.token)).text + managed.logged();
    expect(error).not.toContain(verification.token);
  });

  test("verification is refused while the host resolves to an address that is not public", async () => {
    const { id, verification } = await owner.create();
    const verify = () => owner.send("POST", `${WEBHOOKS}/${id}/verify`, { verification_token: verification.token });
    managed.resolution = { kind: "addresses", addresses: ["::1"] };
    expect(webhookErrorOf(await verify())).toEqual({ status: 400, reason: "invalid_body", param: "url" });
    managed.resolution = { kind: "unavailable", reason: "away" };
    expect((await verify()).status).toBe(503);
    managed.resolution = PUBLIC;
    expect((await verify()).status).toBe(200);
  });

  test("verified_at is the time after the host lookup, so earlier events are not delivered", async () => {
    const noon = atNoon();
    const { id, verification } = await owner.create();
    Object.defineProperty(managed, "resolution", { get: () => (vi.setSystemTime(noon + 4_000), PUBLIC) });
    const response = await owner.send("POST", `${WEBHOOKS}/${id}/verify`, { verification_token: verification.token });
    expect(response.body.data).toMatchObject({ status: "active", verified_at: "2031-03-05T12:00:04.000Z" });
  });

  test("verification of a disabled endpoint is refused", async () => {
    const { id, verification } = await owner.create();
    await owner.send("PATCH", `${WEBHOOKS}/${id}`, { enabled: false });
    const response = await owner.send("POST", `${WEBHOOKS}/${id}/verify`, { verification_token: verification.token });
    expect(webhookErrorOf(response)).toEqual({ status: 400, reason: null, param: "endpoint" });
    const enabled = await owner.send("PATCH", `${WEBHOOKS}/${id}`, { enabled: true });
    expect(enabled.body.data.status).toBe("pending_verification");
    expect(
      (await owner.send("POST", `${WEBHOOKS}/${id}/verify`, { verification_token: verification.token })).status,
    ).toBe(200);
  });
});

describe("endpoint update", () => {
  test("an update of name, events and filters changes nothing else", async () => {
    const { signing_secret: _, verification: __, ...created } = await owner.createActive();
    const change = {
      name: "new",
      event_types: ["wallet_grade_changed", "wallet_grade_changed"],
      trade_filters: { min_grade: "A" },
    };
    const response = await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, change);
    expect(departures("WebhookResponse", response.body)).toEqual([]);
    const expected = { ...created, ...change, event_types: ["wallet_grade_changed"], updated_at: expect.any(String) };
    expect(response.body.data).toEqual(expected);
    expect(
      (await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { trade_filters: {} })).body.data.trade_filters,
    ).toEqual({});
  });

  test("an update of the URL requires verification with a new token, which makes waiting deliveries due", async () => {
    const created = await owner.createActive();
    await someDeliveries(managed.db, String(created.id), 2, {
      status: "retry",
      attemptCount: 3,
      nextAttemptAt: new Date(Date.now() + 60_000),
    });
    await managed.db.update(webhookEndpoints).set({ failureCount: 5, openUntil: new Date(Date.now() + 60_000) });
    const moved = await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { url: "https://other.example.com/in" });
    expect(departures("WebhookResponse", moved.body)).toEqual([]);
    const { data } = moved.body;
    expect(data).toMatchObject({
      url: "https://other.example.com/in",
      status: "pending_verification",
      verified_at: null,
      failure_count: 0,
    });
    expect(data.verification.token).not.toBe(created.verification.token);
    expect(data).not.toHaveProperty("signing_secret");
    const old = await owner.send("POST", `${WEBHOOKS}/${created.id}/verify`, {
      verification_token: created.verification.token,
    });
    expect(webhookErrorOf(old)).toEqual({ status: 400, reason: null, param: "verification_token" });
    managed.messages.length = 0;
    await owner.send("POST", `${WEBHOOKS}/${created.id}/verify`, { verification_token: data.verification.token });
    expect(managed.messages).toEqual([
      { kind: "wake_endpoint", endpoint_id: String(created.id), request_id: expect.stringMatching(/^req_/) },
    ]);
    for (const delivery of await storedDeliveries(managed.db, String(created.id))) {
      expect(delivery).toMatchObject({ status: "retry", attemptCount: 3, scheduleReason: "configuration_changed" });
      expect(delivery.nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now());
    }
    expect(await storedEndpoint(managed.db, String(created.id))).toMatchObject({ failureCount: 0, openUntil: null });
  });

  test("an update to another spelling of the same URL keeps the verification", async () => {
    const created = await owner.createActive({ url: "https://hooks.example.com/in" });
    const response = await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, {
      url: "https://HOOKS.example.com:443/in#x",
    });
    expect(response.body.data).toMatchObject({ status: "active", url: created.url, verified_at: created.verified_at });
    expect(response.body.data).not.toHaveProperty("verification");
  });

  test("an update to another endpoint's URL or to a forbidden address is refused", async () => {
    const occupied = await owner.create();
    const created = await owner.createActive();
    const to = (url: string) => owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { url, name: "new" });
    expect(webhookErrorOf(await to(occupied.url))).toEqual({ status: 400, reason: null, param: "url" });
    expect(webhookErrorOf(await to("https://192.168.0.1/"))).toEqual({
      status: 400,
      reason: "invalid_body",
      param: "url",
    });
    expect((await owner.get(`${WEBHOOKS}/${created.id}`)).body.data).toMatchObject({
      name: "hook",
      url: created.url,
      status: "active",
    });
    const free = "https://free.example.com/";
    const other = await owner.createActive();
    const moves = await Promise.all(
      [created, other].map(({ id }) => owner.send("PATCH", `${WEBHOOKS}/${id}`, { url: free })),
    );
    expect(moves.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test("an update of the URL is refused during a delivery, and other updates are not", async () => {
    const created = await owner.createActive();
    const lease = { status: "processing", nextAttemptAt: null, lease: "l", leaseUntil: new Date(Date.now() + 20_000) };
    await someDeliveries(managed.db, String(created.id), 1, lease);
    const move = () =>
      owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { url: "https://other.example.com/", name: "new" });
    expect(webhookErrorOf(await move())).toEqual({
      status: 409,
      reason: "webhook_delivery_in_progress",
      param: "endpoint",
    });
    expect(
      (await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { name: "mine", url: created.url })).body.data.name,
    ).toBe("mine");
    await managed.db.update(webhookDeliveries).set({ leaseUntil: new Date(Date.now() - 1) });
    expect((await move()).status).toBe(200);
  });

  test("enabled false ends all waiting deliveries, and enabled true does not restore them", async () => {
    const created = await owner.createActive();
    const id = String(created.id);
    await someDeliveries(managed.db, id, 2, { status: "retry", attemptCount: 2 });
    await someDeliveries(managed.db, id, 1, { status: "delivered", nextAttemptAt: null });
    await managed.db.update(webhookEndpoints).set({ failureCount: 7, openUntil: new Date(Date.now() + 60_000) });
    const disabled = await owner.send("PATCH", `${WEBHOOKS}/${id}`, { enabled: false });
    expect(disabled.body.data).toMatchObject({
      status: "disabled",
      verified_at: created.verified_at,
      failure_count: 7,
    });
    expect((await owner.get(WEBHOOKS)).body.data[0].status).toBe("disabled");
    expect(await storedEndpoint(managed.db, id)).toMatchObject({ disabledReason: "owner" });
    const statuses = async () =>
      (await storedDeliveries(managed.db, id)).map(({ status, nextAttemptAt }) => ({ status, nextAttemptAt }));
    const ended = ["dead_letter", "dead_letter", "delivered"].map((status) => ({ status, nextAttemptAt: null }));
    expect(await statuses()).toEqual(ended);
    managed.messages.length = 0;
    const enabled = await owner.send("PATCH", `${WEBHOOKS}/${id}`, { enabled: true });
    expect(enabled.body.data).toMatchObject({ status: "active", verified_at: created.verified_at, failure_count: 0 });
    expect(await storedEndpoint(managed.db, id)).toMatchObject({ disabledReason: null, openUntil: null });
    expect(await statuses()).toEqual(ended);
    expect(managed.messages).toEqual([]);
    expect((await owner.send("PATCH", `${WEBHOOKS}/${id}`, { enabled: true })).body.data).toEqual({
      ...enabled.body.data,
      updated_at: expect.any(String),
    });
  });

  test("enabled true reactivates an endpoint that failures disabled, and keeps the failure count of an active one", async () => {
    const created = await owner.createActive();
    await managed.db.update(webhookEndpoints).set({ status: "disabled", disabledReason: "failures", failureCount: 8 });
    expect((await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { enabled: false })).body.data.failure_count).toBe(
      8,
    );
    expect(await storedEndpoint(managed.db, String(created.id))).toMatchObject({ disabledReason: "failures" });
    const enabled = await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { enabled: true });
    expect(enabled.body.data).toMatchObject({ status: "active", failure_count: 0 });
    await managed.db.update(webhookEndpoints).set({ failureCount: 3 });
    expect((await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { enabled: true })).body.data.failure_count).toBe(3);
  });

  test("an update of the URL with enabled false leaves a disabled endpoint that requires verification", async () => {
    const created = await owner.createActive();
    const both = await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, {
      url: "https://other.example.com/",
      enabled: false,
    });
    expect(both.body.data).toMatchObject({
      status: "disabled",
      verified_at: null,
      verification: { token: expect.any(String) },
    });
    const enabled = await owner.send("PATCH", `${WEBHOOKS}/${created.id}`, { enabled: true });
    expect(enabled.body.data.status).toBe("pending_verification");
  });
});

test("a deleted endpoint is returned as disabled, is no longer listed and keeps its deliveries", async () => {
  const created = await owner.createActive();
  await someDeliveries(managed.db, String(created.id), 1, { status: "pending", createdAt: new Date() });
  await owner.send("POST", `${WEBHOOKS}/${created.id}/rotate-secret/prepare`);
  const remove = () => owner.send("DELETE", `${WEBHOOKS}/${created.id}`);
  const deleted = await remove();
  expect(departures("WebhookResponse", deleted.body)).toEqual([]);
  expect(deleted.body.data).toMatchObject({ id: created.id, status: "disabled" });
  expect((await remove()).body.data).toEqual(deleted.body.data);
  expect((await owner.get(WEBHOOKS)).body).toMatchObject({ data: [], total: 0 });
  expect(webhookErrorOf(await owner.get(`${WEBHOOKS}/${created.id}`))).toEqual({
    status: 404,
    reason: null,
    param: "id",
  });
  const log = await owner.get(`${WEBHOOKS}/${created.id}/deliveries`);
  expect(log.body.data).toMatchObject([{ status: "dead_letter" }]);
  expect(await storedEndpoint(managed.db, String(created.id))).toMatchObject({
    stagedSecretSealed: null,
    deletedAt: expect.any(Date),
  });
  expect((await owner.create({ url: created.url })).url).toBe(created.url);
});

test("every operation returns 404 for another account's endpoint and leaves it unchanged", async () => {
  const created = await owner.createActive();
  const [delivery] = await someDeliveries(managed.db, String(created.id), 1, {
    status: "dead_letter",
    createdAt: new Date(),
  });
  const before = await managed.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, created.id));
  const stranger = await managed.owner();
  const token = { verification_token: created.verification.token };
  const path = `${WEBHOOKS}/${created.id}`;
  const responses = [
    await stranger.get(path),
    await stranger.send("PATCH", path, { name: "mine" }),
    await stranger.send("DELETE", path),
    await stranger.send("POST", `${path}/verify`, token),
    await stranger.send("POST", `${path}/verification-attempts`, token),
    await stranger.get(`${path}/verification-attempts/3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11`),
    ...(await Promise.all(
      ["", "/prepare", "/activate", "/retire"].map((step) => stranger.send("POST", `${path}/rotate-secret${step}`)),
    )),
    await stranger.get(`${path}/deliveries`),
    await stranger.send("POST", `${path}/deliveries/${delivery}/redeliver`),
    await stranger.send("POST", `${path}/test-delivery`),
  ];
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
  expect(responses).toHaveLength(13);
  expect((await stranger.get(WEBHOOKS)).body.total).toBe(0);
  expect(await managed.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, created.id))).toEqual(before);
  expect(managed.posted).toEqual([]);
});

test("an unknown endpoint number returns 404 and any other text 400", async () => {
  for (const id of ["1", "999999999999999", "9".repeat(19), "9".repeat(400)])
    expect((await owner.get(`${WEBHOOKS}/${id}`)).status).toBe(404);
  for (const id of ["0", "-1", "01", "1.0", "1e3", "0x1", "%20", "x"]) {
    expect(webhookErrorOf(await owner.get(`${WEBHOOKS}/${id}`))).toEqual({
      status: 400,
      reason: "invalid_path",
      param: "id",
    });
  }
});

test("every event type can be subscribed to, and the catalogue is the same for every key", async () => {
  const listed = await owner.get(`${WEBHOOKS}/events`);
  expect(departures("WebhookEventsResponse", listed.body)).toEqual([]);
  expect(listed.body).toMatchObject({ total: CONTRACT_EVENT_NAMES.length, has_more: false });
  const ids = listed.body.data.map(({ id }: { id: string }) => id);
  expect(ids.toSorted()).toEqual(CONTRACT_EVENT_NAMES.toSorted());
  const created = await owner.create({ event_types: ids });
  expect(created.event_types).toEqual(ids);
  const other = await managed.owner({ plan: "max" });
  expect((await other.get(`${WEBHOOKS}/events`)).body.data).toEqual(listed.body.data);
});
