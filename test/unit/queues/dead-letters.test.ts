import { expect, onTestFinished, test, vi } from "vitest";
import { consumeDeadLetters } from "../../../queues/consume-dead-letters.ts";
import type { DeadLetter } from "../../../queues/dead-letter-store.ts";
import { parseQueueName } from "../../../src/messages/queue-name.ts";

test.each([
  ["ingest", { queue: "ingest", isDead: false }],
  ["exports-dead", { queue: "exports", isDead: true }],
  ["activity-staging-traders", { queue: "traders", isDead: false }],
  ["activity-production-figures-dead", { queue: "figures", isDead: true }],
  ["activity-production-webhooks-dead", { queue: "webhooks", isDead: true }],
  ["ingest-late", null],
  ["myingest", null],
  ["dead", null],
])("the queue %s is parsed", (name, expected) => {
  expect(parseQueueName(name)).toEqual(expected);
});

const TELL_OWNER = { kind: "tell_owner", endpoint_id: "7", mail_key: "0b0f3c3e-9d0c-4a65-9b55-0a7f6b7c7a11" };

/** A batch with one letter that its schema knows and one that no schema knows. */
function aBatch() {
  const letter = (id: string, body: unknown) => ({ id, body, timestamp: new Date(0), attempts: 9 });
  const [ackAll, retryAll] = [vi.fn(), vi.fn()];
  return { messages: [letter("m1", TELL_OWNER), letter("m2", { kind: "unknown", token: "s3cret" })], ackAll, retryAll };
}

function logLines(): string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((line: unknown) => void lines.push(String(line)));
  onTestFinished(() => spy.mockRestore());
  return lines;
}

test("a dead letter is logged, recorded and acknowledged; a body that no schema knows is neither logged nor recorded", async () => {
  const lines = logLines();
  const batch = aBatch();
  const recorded: DeadLetter[] = [];
  await consumeDeadLetters(batch as never, { queue: "webhooks", isDead: true }, async (letters) => {
    recorded.push(...letters);
  });
  const common = { level: "error", message: "queue.dead_letter", queue: "webhooks", attempts: 9 };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...common, id: "m1", sent_at: "1970-01-01T00:00:00.000Z", letter: TELL_OWNER },
    { ...common, id: "m2", sent_at: "1970-01-01T00:00:00.000Z", letter: null },
  ]);
  const row = { queue: "webhooks", attempts: 9, sentAt: new Date(0) };
  expect(recorded).toEqual([
    { ...row, messageId: "m1", letter: TELL_OWNER },
    { ...row, messageId: "m2", letter: null },
  ]);
  expect(batch.ackAll).toHaveBeenCalledOnce();
  expect(batch.retryAll).not.toHaveBeenCalled();
});

test("dead letters that cannot be recorded stay in their queue", async () => {
  const lines = logLines();
  const batch = aBatch();
  await consumeDeadLetters(batch as never, { queue: "webhooks", isDead: true }, () =>
    Promise.reject(new Error("no database")),
  );
  expect(batch.ackAll).not.toHaveBeenCalled();
  expect(batch.retryAll).toHaveBeenCalledWith({ delaySeconds: 300 });
  expect(lines.at(-1)).toContain("queue.dead_letters_not_recorded");
});
