import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { aPick } from "../../../support/seed/picks/picks.ts";
import { inMinutes, openPickReaders, TODAY_PATH } from "../../../support/seed/picks/pick-readers.ts";

const LEDGER = `${TODAY_PATH}/ledger`;

async function aLedger() {
  const readers = await openPickReaders();
  const { db, today: date } = readers;
  const over = inMinutes(-300);
  return {
    ...readers,
    opened: await aPick(db, { date: "2026-10-01", rank: 2, kickoff: over, outcomes: ["win", "loss"], label: "Größe" }),
    uncommitted: await aPick(db, { date, rank: 2, kickoff: over, publishedAt: inMinutes(-299) }),
    settledUncommitted: await aPick(db, { date, rank: 3, kickoff: over, publishedAt: over, outcomes: ["void"] }),
    sealed: await aPick(db, { date, rank: 1 }),
    withdrawn: await aPick(db, { date: "2026-10-01", rank: 1, kickoff: over, isWithdrawn: true, outcomes: ["win"] }),
    slot: await aPick(db, { date, rank: 4, kickoff: inMinutes(300), publishedAt: null }),
  };
}

describe("the ledger of picks", () => {
  test("lists every published pick by day and rank, without a key, with counts", async () => {
    const { read, opened, withdrawn, sealed, uncommitted, settledUncommitted } = await aLedger();
    const { status, body } = await read(LEDGER, null);
    expect(status).toBe(200);
    const states = body.data.entries.map(({ pick_id, state }: { pick_id: string; state: string }) => [pick_id, state]);
    expect(states).toEqual([
      [String(withdrawn.id), "opened"],
      [String(opened.id), "opened"],
      [String(sealed.id), "sealed"],
      [String(uncommitted.id), "uncommitted"],
      [String(settledUncommitted.id), "uncommitted"],
    ]);
    expect(body.data).toMatchObject({ entry_count: 5, sealed_count: 1, opened_count: 2, uncommitted_count: 2 });
  });

  test("a sealed entry has its hash and nothing of its pick", async () => {
    const { read, sealed, today } = await aLedger();
    const { body, text } = await read(`${LEDGER}/${sealed.id}`, null);
    const hash = createHash("sha256")
      .update(sealed.payload ?? "")
      .update(Buffer.from(sealed.nonce ?? "", "hex"))
      .digest("hex");
    expect(Object.keys(body.data).toSorted()).toEqual(
      [
        ...[
          "state",
          "pick_date",
          "pick_rank",
          "pick_id",
          "publication_order",
          "is_free_selection",
          "supersedes_pick_id",
        ],
        ...["permalink", "commitment_hash", "commitment_algo", "sealed_at", "commitment_version"],
      ].toSorted(),
    );
    expect(body.data).toMatchObject({ state: "sealed", commitment_hash: hash, commitment_version: 1 });
    expect(body.data.permalink).toMatch(new RegExp(`/pick-of-the-day/${today}/1$`));
    for (const secret of [sealed.nonce, sealed.payload, sealed.matchup, sealed.market.conditionId])
      expect(text).not.toContain(secret);
  });

  test("an opened entry verifies from what it shows, and a correction changes the outcome only", async () => {
    const { read, opened } = await aLedger();
    const { data } = (await read(`${LEDGER}/${opened.id}`, null)).body;
    const hash = createHash("sha256")
      .update(JSON.stringify(data.payload), "utf8")
      .update(Buffer.from(data.commitment_nonce, "hex"))
      .digest("hex");
    expect(data).toMatchObject({ state: "opened", commitment_hash: hash, outcome: "loss", matchup: opened.matchup });
    expect(data.payload).toMatchObject({ pick_outcome_label: "Größe", condition_id: opened.market.conditionId });
    expect(data.kickoff).toBe(data.payload.kickoff);
  });

  test("an uncommitted entry has no commitment, and its payload only once it has settled", async () => {
    const { read, uncommitted, settledUncommitted } = await aLedger();
    const pending = await read(`${LEDGER}/${uncommitted.id}`, null);
    expect(pending.body.data).toMatchObject({
      state: "uncommitted",
      outcome: "pending",
      payload: null,
      resolved_at: null,
    });
    expect(pending.text).not.toContain(uncommitted.matchup);
    const settled = (await read(`${LEDGER}/${settledUncommitted.id}`, null)).body.data;
    expect(settled).toMatchObject({ outcome: "void", pre_commitment: true, matchup: settledUncommitted.matchup });
    expect(settled.payload).toMatchObject({ backed_price: "0.500000" });
    for (const data of [pending.body.data, settled]) {
      for (const name of ["commitment_hash", "commitment_nonce", "sealed_at"]) expect(data).not.toHaveProperty(name);
    }
  });

  test.each([
    ["a slot", async () => (await aLedger()).slot.id, 404],
    ["an unknown pick", async () => 999_999, 404],
    ["a number too long for any pick", async () => "9".repeat(30), 404],
    ["no number", async () => "abc", 400],
  ])("the entry of %s is refused", async (_, idOf, status) => {
    const { read } = await openPickReaders();
    expect((await read(`${LEDGER}/${await idOf()}`, null)).status).toBe(status);
  });
});

test.each([
  ["another hash", sql`update pick_commitments set hash = repeat('0', 64) where nonce is not null`],
  [
    "another payload",
    sql`update pick_commitments set payload = replace(payload, '0.5', '0.6') where nonce is not null`,
  ],
  ["an opening without an outcome", sql`delete from pick_revisions`],
  ["a seal after the kickoff", sql`update pick_commitments set sealed_at = kickoff + interval '1 second'`],
])("a row with %s refuses the whole ledger", async (_, damage) => {
  const { db, read } = await aLedger();
  // The triggers and constraints that prevent it are removed first.
  await db.execute(sql`alter table pick_commitments disable trigger user`);
  await db.execute(sql`alter table pick_commitments drop constraint pick_commitments_in_time`);
  await db.execute(sql`alter table pick_revisions disable trigger user`);
  await db.execute(damage);
  const { status, body } = await read(LEDGER, null);
  expect({ status, code: body.error.code }).toEqual({ status: 500, code: "internal_error" });
});
