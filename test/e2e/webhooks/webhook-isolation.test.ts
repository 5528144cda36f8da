import { expect, onTestFinished, test } from "vitest";
import { startWebhookProduct } from "../../../scripts/faults/webhook-product.ts";
import { startOddReceivers, type Oddity } from "../../support/webhooks/odd-receivers.ts";

const EVENTS = 40;
const ODD: readonly Oddity[] = ["endless", "trickling", "huge", "hanging", "resetting", "cut off"];
const FINE = ["a", "b", "c"];

test("endpoints that hang, reset or respond without end delay no other endpoint, and only the head of a response is read", async () => {
  const receivers = await startOddReceivers();
  const { worker, database, stop } = await startWebhookProduct();
  onTestFinished(stop);
  const urls = [...ODD.map((oddity) => receivers.url(oddity)), ...FINE.map((name) => receivers.url("fine", name))];
  const endpoints = await database.createEndpoints(urls);
  const statuses = async () => {
    const rows = await database.query(
      "select endpoint_id::text as id, status, count(*)::int as count, max(attempt_count)::int as attempts, max(last_error) as error from webhook_deliveries group by 1, 2",
    );
    return endpoints.map(({ id }) => rows.filter((row) => row["id"] === id).map(({ id: _, ...row }) => row));
  };
  // The odd receivers get the first half, so that attempts at them are in progress.
  await database.publish(EVENTS / 2);
  await worker.wakeDispatcher();
  await expect.poll(() => ODD.every((oddity) => receivers.requests(oddity) > 0), { timeout: 10_000 }).toBe(true);
  await database.publish(EVENTS / 2);
  await worker.wakeDispatcher();
  const delivered = [{ status: "delivered", count: EVENTS, attempts: 1, error: null }];
  const fineStatuses = async () => (await statuses()).slice(ODD.length);
  await expect.poll(fineStatuses, { timeout: 12_000 }).toEqual(FINE.map(() => delivered));
  // The attempts at the hanging receivers are still in progress then, see below.
  const duringAttempts = await statuses();

  // A response that accepts the delivery counts, however long its body is.
  const longStatuses = async () => [(await statuses())[0], (await statuses())[2]];
  await expect.poll(longStatuses, { timeout: 12_000 }).toEqual([delivered, delivered]);
  // 40 responses of 100 MB each were not read: the bytes sent only fill connection buffers.
  for (const oddity of ["endless", "huge"] as const)
    expect(receivers.sent(oddity) / EVENTS).toBeLessThan(16 * 1024 * 1024);
  const [, trickling, , hanging, resetting, cutOff] = duringAttempts;
  for (const stuck of [trickling, hanging])
    expect(stuck).toContainEqual({ status: "processing", count: 4, attempts: 0, error: null });
  for (const broken of [resetting, cutOff]) {
    expect(broken).toContainEqual({
      status: "retry",
      count: 4,
      attempts: 1,
      error: "The receiver could not be reached.",
    });
    expect(broken).toContainEqual({ status: "pending", count: EVENTS - 4, attempts: 0, error: null });
  }
  // A connection without a reader is closed: only the hanging and trickling receivers keep theirs.
  await expect.poll(() => receivers.answering(), { timeout: 5_000 }).toBeLessThanOrEqual(8);
}, 120_000);
