import { expect, onTestFinished, test, vi } from "vitest";
import { consumeDeadLetters } from "../../../queues/consume-dead-letters.ts";
import { parseQueueName } from "../../../src/messages/queue-name.ts";

test.each([
  ["ingest", { queue: "ingest", isDead: false }],
  ["exports-dead", { queue: "exports", isDead: true }],
  ["activity-staging-traders", { queue: "traders", isDead: false }],
  ["activity-production-webhooks-dead", { queue: "webhooks", isDead: true }],
  ["ingest-late", null],
  ["myingest", null],
  ["dead", null],
])("the queue %s is parsed", (name, expected) => {
  expect(parseQueueName(name)).toEqual(expected);
});

test("a dead letter is logged with its message and acknowledged; a body that no schema knows is not logged", async () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((line: unknown) => void lines.push(String(line)));
  onTestFinished(() => spy.mockRestore());
  const letter = (id: string, body: unknown) => ({ id, body, timestamp: new Date(0), attempts: 9 });
  const ackAll = vi.fn();
  const messages = [
    letter("m1", { kind: "tell_owner", endpoint_id: "7", mail_key: "0b0f3c3e-9d0c-4a65-9b55-0a7f6b7c7a11" }),
    letter("m2", { kind: "unknown", token: "s3cret" }),
  ];
  await consumeDeadLetters({ messages, ackAll } as never, { queue: "webhooks", isDead: true });
  const common = { level: "error", message: "queue.dead_letter", queue: "webhooks", attempts: 9 };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...common, id: "m1", sent_at: "1970-01-01T00:00:00.000Z", letter: messages[0]?.body },
    { ...common, id: "m2", sent_at: "1970-01-01T00:00:00.000Z", letter: null },
  ]);
  expect(ackAll).toHaveBeenCalledOnce();
});
