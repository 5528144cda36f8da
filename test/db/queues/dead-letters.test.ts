import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { parseOperatorArguments } from "../../../scripts/operator/arguments.ts";
import { openStore, type Store } from "../../../scripts/operator/open-store.ts";
import { runOperatorCommand } from "../../../scripts/operator/run-command.ts";
import { recordDeadLetters, type DeadLetter } from "../../../queues/dead-letter-store.ts";
import { replayDeadLetters } from "../../../queues/replay-dead-letters.ts";
import { createTestDatabase } from "../../support/database/database.ts";

let store: Store;
beforeAll(async () => {
  const { databaseUrl } = await createTestDatabase();
  store = await openStore({ DATABASE_URL: databaseUrl }, "/nowhere");
  return () => store.close();
});
beforeEach(async () => {
  await store.db.execute("delete from dead_letters");
});

const operate = (line: string) =>
  runOperatorCommand(parseOperatorArguments(line.split(" ")).command, store, new Date());

const aLetter = (messageId: string, facts: Partial<DeadLetter>): DeadLetter => ({
  queue: "traders",
  messageId,
  letter: { kind: "sync_trader", address: "0x1", lease: "2026-11-26 10:00:00+00" },
  attempts: 9,
  sentAt: new Date(0),
  ...facts,
});

const WEBHOOK = { kind: "wake_endpoint", endpoint_id: "7" } as const;
const LETTERS = [
  aLetter("a", {}),
  aLetter("b", { queue: "ingest", letter: { kind: "scan_holders", market_ids: [4] } }),
  aLetter("c", { queue: "webhooks", letter: WEBHOOK }),
  aLetter("d", { queue: "exports", letter: { job_id: 12 } }),
  aLetter("e", { letter: null }),
];

function aQueue(sent: [string, unknown][], name: string, failure: { error: Error | null } = { error: null }) {
  const send = async (message: unknown) => {
    if (failure.error !== null) throw failure.error;
    sent.push([name, message]);
  };
  return { send } as never;
}

function queues(sent: [string, unknown][], failure?: { error: Error | null }) {
  return {
    INGEST_QUEUE: aQueue(sent, "ingest"),
    TRADERS_QUEUE: aQueue(sent, "traders"),
    FIGURES_QUEUE: aQueue(sent, "figures"),
    WEBHOOKS_QUEUE: aQueue(sent, "webhooks", failure),
    EXPORTS_QUEUE: aQueue(sent, "exports"),
  };
}

function quiet() {
  for (const level of ["error", "info", "log"] as const) {
    const spy = vi.spyOn(console, level).mockImplementation(() => undefined);
    onTestFinished(() => spy.mockRestore());
  }
}

test("letters are recorded once, listed, and sent again to their queue without their lease, each once", async () => {
  quiet();
  await recordDeadLetters(store.db, LETTERS);
  await recordDeadLetters(store.db, LETTERS.slice(0, 2));
  const listed = (await operate("dead-letters")).split("\n");
  expect(listed).toHaveLength(5);
  expect(listed[0]).toContain("unreadable");
  expect(listed[2]).toContain(`webhooks`);

  const sent: [string, unknown][] = [];
  await replayDeadLetters(store.db, queues(sent));
  expect(sent).toEqual([]);
  expect(await operate("replay-letter all")).toBe("4 letters are sent again within a minute.");
  await replayDeadLetters(store.db, queues(sent));
  await replayDeadLetters(store.db, queues(sent));
  expect(sent).toEqual([
    ["traders", { kind: "sync_trader", address: "0x1" }],
    ["ingest", { kind: "scan_holders", market_ids: [4] }],
    ["webhooks", WEBHOOK],
    ["exports", { job_id: 12 }],
  ]);
  expect((await operate("dead-letters")).split("\n")).toHaveLength(1);
});

test("letters of figures are sent again to their own queue", async () => {
  quiet();
  await recordDeadLetters(store.db, [aLetter("f", { queue: "figures", letter: { kind: "rank_profiles" } })]);
  await operate("replay-letter all");
  const sent: [string, unknown][] = [];
  await replayDeadLetters(store.db, queues(sent));
  expect(sent).toEqual([["figures", { kind: "rank_profiles" }]]);
});

test("a letter whose queue refuses it stays requested; a letter that is unreadable or sent cannot be requested", async () => {
  quiet();
  await recordDeadLetters(store.db, LETTERS.slice(2, 5));
  const ids = (await operate("dead-letters")).split("\n").map((line) => line.split("  ")[0]);
  const [unreadable, , webhook] = ids;
  expect(await operate(`replay-letter ${webhook}`)).toBe("1 letter is sent again within a minute.");
  const sent: [string, unknown][] = [];
  const failure: { error: Error | null } = { error: new Error("too many requests") };
  await replayDeadLetters(store.db, queues(sent, failure));
  expect(sent).toEqual([]);
  expect(await operate("dead-letters")).toContain("replay requested");
  failure.error = null;
  await replayDeadLetters(store.db, queues(sent, failure));
  expect(sent).toEqual([["webhooks", WEBHOOK]]);
  for (const id of [webhook, unreadable])
    await expect(operate(`replay-letter ${id}`)).rejects.toThrow(`There is no readable letter ${id}`);
});

test("letters are deleted 90 days after they were recorded", async () => {
  await recordDeadLetters(store.db, LETTERS.slice(0, 2));
  await store.db.execute("update dead_letters set recorded_at = now() - interval '91 days' where message_id = 'a'");
  await recordDeadLetters(store.db, LETTERS.slice(2, 3));
  expect((await operate("dead-letters")).split("\n")).toHaveLength(2);
});
