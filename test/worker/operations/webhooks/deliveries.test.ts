import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { type webhookDeliveries, webhookEndpoints } from "../../../../src/db/schema.ts";
import { listDeliveries } from "../../../../src/queries/webhooks/deliveries.ts";
import { departures } from "../../../contract/contract.ts";
import { readsOf, rowsRead } from "../../../support/database/plan-reads.ts";
import { someDeliveries } from "../../../support/seed/webhooks.ts";
import { storedDeliveries } from "../../../support/webhooks/drain-settings.ts";
import { openWebhookApi, webhookErrorOf, type WebhookApi, type Owner } from "../../../support/webhooks/webhook-api.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

let managed: WebhookApi;
let owner: Owner;
let id: number;
let endpoint: any;

beforeEach(async () => {
  managed = await openWebhookApi();
  owner = await managed.owner();
  endpoint = await owner.createActive();
  id = endpoint.id;
});

const seed = (count: number, facts: Partial<typeof webhookDeliveries.$inferInsert> = {}) =>
  someDeliveries(managed.db, String(id), count, { createdAt: new Date(), ...facts });
const list = (query = "") => owner.get(`/api/v1/webhooks/${id}/deliveries${query}`);

describe("delivery list", () => {
  test("the list has seven days of deliveries, newest first, each once over the pages", async () => {
    await seed(2, { createdAt: new Date(Date.now() - 7 * DAY_MS - 60_000) });
    const expected = [
      ...(await seed(2, { createdAt: new Date(Date.now() - 7 * DAY_MS + 60_000) })),
      ...(await seed(5)),
    ];
    await someDeliveries(managed.db, String((await owner.create()).id), 3, { createdAt: new Date() });
    const pages: string[][] = [];
    for (let query = "?limit=3"; query !== "";) {
      const { body } = await list(query);
      expect(departures("WebhookDeliveriesResponse", body)).toEqual([]);
      pages.push(body.data.map((row: { id: number }) => String(row.id)));
      query = body.has_more ? `?limit=3&cursor=${encodeURIComponent(body.next_cursor)}` : "";
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(expected.toReversed());
  });

  test("a delivery has its result, and unknown fields are absent", async () => {
    const at = new Date("2031-03-05T12:00:00Z");
    await seed(1, { status: "pending", nextAttemptAt: at });
    await seed(1, {
      ...{
        status: "retry",
        attemptCount: 2,
        nextAttemptAt: at,
        scheduleReason: "receiver_retry_after",
        lastResponseStatus: 429,
      },
      lastError: "The receiver answered 429.",
    });
    await seed(1, {
      status: "delivered",
      attemptCount: 1,
      nextAttemptAt: null,
      lastResponseStatus: 204,
      deliveredAt: at,
    });
    const { body, text } = await list();
    const row = {
      id: expect.any(Number),
      object: "webhook_delivery",
      event_id: expect.stringMatching(/^evt_1_/),
      event_type: "trader_synced",
    };
    const rest = { created_at: expect.any(String), retry_schedule_reason: null };
    const noon = "2031-03-05T12:00:00.000Z";
    expect(body.data).toEqual([
      {
        ...row,
        ...rest,
        status: "delivered",
        attempt_count: 1,
        last_response_status: 204,
        delivered_at: noon,
        next_attempt_at: null,
      },
      {
        ...{
          ...row,
          ...rest,
          status: "retry",
          attempt_count: 2,
          last_response_status: 429,
          last_error: "The receiver answered 429.",
        },
        ...{ next_attempt_at: noon, retry_schedule_reason: "receiver_retry_after" },
      },
      { ...row, ...rest, status: "pending", attempt_count: 0, next_attempt_at: noon },
    ]);
    const [stored] = await storedDeliveries(managed.db, String(id));
    expect(text).not.toContain(JSON.stringify(stored?.body).slice(1, -1));
  });

  test("the list is empty before the first delivery and refuses the cursor of another endpoint", async () => {
    const empty = await list();
    expect(empty.body).toMatchObject({ object: "list", data: [], has_more: false });
    expect(departures("WebhookDeliveriesResponse", empty.body)).toEqual([]);
    await seed(2);
    const { next_cursor: cursor } = (await list("?limit=1")).body;
    const other = (await owner.create()).id;
    const response = await owner.get(`/api/v1/webhooks/${other}/deliveries?cursor=${encodeURIComponent(cursor)}`);
    expect(webhookErrorOf(response)).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
  });

  test("a page reads no more deliveries than it returns, however many exist", async () => {
    await managed.db.execute(sql`
      insert into webhook_deliveries (endpoint_id, event_id, event_type, body, status)
      select ${id}, 'evt_9_' || n, 'trader_synced', '{}', 'delivered' from generate_series(1, 3000) n`);
    const other = (await owner.create()).id;
    await managed.db.execute(sql`
      insert into webhook_deliveries (endpoint_id, event_id, event_type, body, status)
      select ${other}, 'evt_9_' || n, 'trader_synced', '{}', 'delivered' from generate_series(1, 20000) n`);
    await managed.db.execute(sql`analyze webhook_deliveries`);
    const ref = { accountId: owner.accountId, id };
    const reads = await readsOf(managed.db, "webhook_deliveries", (db) =>
      listDeliveries(db, ref, { beforeId: null, limit: 51 }, new Date()),
    );
    expect(reads.map((read) => read["Index Name"])).toEqual(["webhook_deliveries_newest"]);
    expect(rowsRead(reads)).toBe(51);
  });
});

describe("redelivery", () => {
  const redeliver = (delivery: string | undefined, headers: Record<string, string> = {}) =>
    owner.send("POST", `/api/v1/webhooks/${id}/deliveries/${delivery}/redeliver`, undefined, headers);

  test("a redelivery makes a dead letter due under the same ids, once for many requests, and wakes the endpoint", async () => {
    const [dead] = await seed(1, {
      status: "dead_letter",
      attemptCount: 8,
      nextAttemptAt: null,
      lastError: "No.",
      lastResponseStatus: 500,
    });
    const [before] = await storedDeliveries(managed.db, String(id));
    const responses = await Promise.all(Array.from({ length: 5 }, () => redeliver(dead)));
    const done = responses.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect(departures("WebhookDeliveryResponse", done[0]?.body)).toEqual([]);
    expect(done[0]?.body.data).toEqual({
      ...{
        id: Number(dead),
        object: "webhook_delivery",
        event_id: before?.eventId,
        event_type: "trader_synced",
        status: "pending",
      },
      ...{
        attempt_count: 0,
        next_attempt_at: expect.any(String),
        retry_schedule_reason: "manual_redelivery",
        created_at: expect.any(String),
      },
    });
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(webhookErrorOf(response)).toEqual({ status: 409, reason: null, param: "delivery_id" });
    }
    const [after] = await storedDeliveries(managed.db, String(id));
    expect(after).toMatchObject({ eventId: before?.eventId, body: before?.body });
    expect(managed.messages).toEqual([
      { kind: "wake_endpoint", endpoint_id: String(id), request_id: expect.stringMatching(/^req_/) },
    ]);
  });

  test("a redelivery repeated with its Idempotency-Key returns the first response", async () => {
    const [dead] = await seed(1, { status: "dead_letter", nextAttemptAt: null });
    const first = await redeliver(dead, { "idempotency-key": "k" });
    const second = await redeliver(dead, { "idempotency-key": "k" });
    expect(second.body.data).toEqual(first.body.data);
    expect(second.status).toBe(200);
  });

  test.each(["pending", "processing", "retry", "delivered"])(
    "a redelivery of a %s delivery is refused",
    async (status) => {
      const [row] = await seed(1, {
        status,
        ...(status === "processing" ? { lease: "l", leaseUntil: new Date(Date.now() + 9_000) } : {}),
      });
      expect(webhookErrorOf(await redeliver(row))).toEqual({ status: 409, reason: null, param: "delivery_id" });
    },
  );

  test.each([
    ["is disabled", { status: "disabled" }],
    ["is pending verification", { status: "pending_verification" }],
    ["does not subscribe to the event type", { eventTypes: ["wallet_grade_changed"] }],
    ["subscribes to another spelling of the event type", { eventTypes: ["whale_trader_synced"] }],
  ])("a redelivery is refused while the endpoint %s", async (_, facts) => {
    const [dead] = await seed(1, { status: "dead_letter", nextAttemptAt: null });
    await managed.db.update(webhookEndpoints).set(facts);
    expect(webhookErrorOf(await redeliver(dead))).toEqual({ status: 409, reason: null, param: "endpoint" });
    expect(await storedDeliveries(managed.db, String(id))).toMatchObject([{ status: "dead_letter" }]);
  });

  test("a redelivery of an unknown, older or foreign delivery returns 404", async () => {
    const [old] = await seed(1, { status: "dead_letter", createdAt: new Date(Date.now() - 8 * DAY_MS) });
    const [foreign] = await someDeliveries(managed.db, String((await owner.createActive()).id), 1, {
      ...{ status: "dead_letter", createdAt: new Date() },
    });
    for (const delivery of ["999999", old, foreign]) {
      expect(webhookErrorOf(await redeliver(delivery))).toEqual({ status: 404, reason: null, param: "delivery_id" });
    }
  });
});

describe("test delivery", () => {
  const sendTest = () => owner.send("POST", `/api/v1/webhooks/${id}/test-delivery`);

  test("a test delivery is signed, has the type webhook.test and is not listed", async () => {
    managed.receiver = () => new Response("thanks", { status: 202 });
    const response = await sendTest();
    expect(response.body).toMatchObject({
      object: "webhook_test",
      data: { delivered: true, response_status: 202, error: null },
    });
    const [{ url, headers, body } = { url: "", headers: new Headers(), body: "" }] = managed.posted;
    expect(url).toBe(endpoint.url);
    const event = new Webhook(endpoint.signing_secret).verify(body, Object.fromEntries(headers)) as any;
    expect(event).toEqual({
      ...{ id: expect.stringMatching(/^evt_test_/), type: "webhook.test", created_at: expect.any(String) },
      data: { message: expect.any(String) },
    });
    expect(headers.get("x-service-event-id")).toBe(event.id);
    expect(headers.get("x-service-event-type")).toBe("webhook.test");
    expect((await owner.get("/api/v1/webhooks/events")).text).not.toContain("webhook.test");
    expect((await list()).body.data).toEqual([]);
  });

  test("a test delivery has its own id, timestamp and duration", async () => {
    const begunAtMs = Date.parse("2031-03-05T12:00:00.750Z");
    let nowMs = begunAtMs;
    managed.clock = () => nowMs;
    managed.newId = () => "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11";
    managed.receiver = () => ((nowMs += 84), new Response());
    expect((await sendTest()).body.data).toMatchObject({ delivered: true, duration_ms: 84 });
    expect(managed.posted[0]?.headers.get("x-service-timestamp")).toBe(String(Math.floor(begunAtMs / 1000)));
    expect(managed.posted[0]?.headers.get("x-service-event-id")).toBe("evt_test_3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11");
  });

  test.each([
    ["an error", () => new Response("no", { status: 500 }), 500, "The receiver responded with status 500."],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "https://10.0.0.1/" } }),
      302,
      /redirects are not followed/,
    ],
    ["no response", () => Promise.reject(new Error("reset")), null, "The receiver could not be reached."],
  ])("a test delivery reports %s and counts no failure", async (_, receiver, status, error) => {
    managed.receiver = receiver;
    const { body } = await sendTest();
    expect(body.data).toMatchObject({ delivered: false, response_status: status, error: expect.stringMatching(error) });
    expect(managed.posted).toHaveLength(1);
    expect((await owner.get(`/api/v1/webhooks/${id}`)).body.data).toMatchObject({ status: "active", failure_count: 0 });
  });

  test("no test delivery is sent to an endpoint that is pending, disabled or at a forbidden address", async () => {
    const pending = await owner.create();
    const refused = await owner.send("POST", `/api/v1/webhooks/${pending.id}/test-delivery`);
    expect(webhookErrorOf(refused)).toEqual({ status: 409, reason: null, param: "endpoint" });
    expect(managed.posted).toEqual([]);
    const url = `${endpoint.url}/moved`;
    const { body } = await owner.send("PATCH", `/api/v1/webhooks/${id}`, { url });
    expect(body.data.status).toBe("pending_verification");
    expect(webhookErrorOf(await sendTest())).toEqual({ status: 409, reason: null, param: "endpoint" });
    expect(managed.posted).toEqual([]);
    await owner.send("POST", `/api/v1/webhooks/${id}/verify`, { verification_token: body.data.verification.token });
    managed.resolution = { kind: "addresses", addresses: ["169.254.169.254"] };
    expect((await sendTest()).status).toBe(400);
    managed.resolution = { kind: "addresses", addresses: ["1.1.1.1"] };
    await owner.send("PATCH", `/api/v1/webhooks/${id}`, { enabled: false });
    expect(webhookErrorOf(await sendTest())).toEqual({ status: 409, reason: null, param: "endpoint" });
    expect(managed.posted).toEqual([]);
  });
});
