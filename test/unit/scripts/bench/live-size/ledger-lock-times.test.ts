import { expect, test } from "vitest";
import {
  LedgerLockWatch,
  type LockedSession,
} from "../../../../../scripts/bench/live-size/samples/ledger-lock-times.ts";

const LOCK = "select pg_advisory_xact_lock(7201441)";

const aSession = (pid: number, facts: Partial<LockedSession> = {}): LockedSession => ({
  pid,
  transaction: "2026-11-20 12:00:00.000001+00",
  query: LOCK,
  granted: false,
  ...facts,
});

test("each work is counted for the time that its sessions hold the ledger lock and wait for it", () => {
  const watch = new LedgerLockWatch();
  const walk = aSession(1, { query: `${LOCK} /* walk_markets */`, granted: true });
  const feed = aSession(2, { query: `${LOCK} /* a-request read_all_trades */` });
  watch.add([walk, feed, aSession(3, { query: feed.query })], 50);
  watch.add([{ ...feed, granted: true }], 70);
  watch.add([], 1_000);
  expect(watch.list()).toEqual([
    { work: "read_all_trades", heldMs: 70, waitedMs: 100 },
    { work: "walk_markets", heldMs: 50, waitedMs: 0 },
  ]);
});

test("a commit counts for the work of its transaction, not for that of an earlier one of the session", () => {
  const watch = new LedgerLockWatch();
  const commit = { query: "commit", granted: true };
  watch.add([aSession(1, { query: `${LOCK} /* walk_markets */`, granted: true })], 50);
  watch.add([aSession(1, commit)], 50);
  watch.add([aSession(1, { ...commit, transaction: "2026-11-20 12:00:05.000001+00" })], 30);
  expect(watch.list()).toEqual([
    { work: "walk_markets", heldMs: 100, waitedMs: 0 },
    { work: "(none)", heldMs: 30, waitedMs: 0 },
  ]);
});
