import { expect, test } from "vitest";
import { presentLedgerEntry } from "../../../../src/operations/picks/present/present-ledger.ts";
import type { LedgerRow } from "../../../../src/queries/picks/pick-ledger.ts";

// The contract's own example of a commitment.
const NONCE = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, "0")).join("");
const OPENED: LedgerRow = {
  ...{ id: "451", date: "2026-09-20", rank: 1, is_free: true, kickoff: "2026-09-20T23:05:00.000Z" },
  ...{ condition_id: "0xabc", outcome_index: 1, outcome_label: "Lakers", price: "0.545000" },
  ...{ matchup: "Lakers vs. Celtics", category: "Basketball", outcome: "win", resolved_at: "2026-09-21T02:00:00.000Z" },
  hash: "44d18fa5e2aa3a2bf3c971dcc9317c8ccbdfd5480a4773b6d8ffd5fbeeea84dc",
  sealed_at: "2026-09-20T22:05:00.000Z",
  payload:
    '{"backed_price":"0.545000","condition_id":"0xabc","kickoff":"2026-09-20T23:05:00Z","pick_date":"2026-09-20",' +
    '"pick_outcome_index":1,"pick_outcome_label":"Lakers","pick_rank":1,"platform":"polymarket"}',
  nonce: NONCE,
};
const present = (row: LedgerRow) => presentLedgerEntry(row, "https://example.test");

test("a commitment that was verified before is presented in the same way", async () => {
  const first = await present(OPENED);
  expect(first).toMatchObject({ state: "opened", commitment_hash: OPENED.hash, commitment_nonce: NONCE });
  expect(await present(OPENED)).toEqual(first);
});

test.each([
  ["another hash", { hash: "0".repeat(64) }, "its hash does not match"],
  ["another nonce", { nonce: "0".repeat(64) }, "its hash does not match"],
  ["a nonce in capitals", { nonce: NONCE.toUpperCase() }, "its hash does not match"],
  ["another payload", { payload: OPENED.payload?.replace("0.545", "0.645") ?? null }, "its payload is of another pick"],
  ["another price", { price: "0.645000" }, "its payload is of another pick"],
  ["another side", { outcome_index: 0 as const }, "its payload is of another pick"],
  ["another kickoff", { kickoff: "2026-09-20T23:06:00.000Z" }, "its payload is of another pick"],
  ["a seal after the kickoff", { sealed_at: "2026-09-20T23:05:00.000Z" }, "it was sealed after its kickoff"],
  ["no outcome", { outcome: null }, "it is opened without an outcome"],
])("a row that was verified is refused with %s, each time", async (_, change, problem) => {
  await present(OPENED);
  for (let read = 0; read < 2; read += 1) await expect(present({ ...OPENED, ...change })).rejects.toThrow(problem);
});

test("a payload and a price that differ in the same way are refused by the hash", async () => {
  await present(OPENED);
  const payload = OPENED.payload?.replace("0.545", "0.645") ?? null;
  await expect(present({ ...OPENED, payload, price: "0.645000" })).rejects.toThrow("its hash does not match");
});
