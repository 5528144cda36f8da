import { expect, test } from "vitest";
import { runReconcile } from "../../../../scripts/reconcile/reconcile-command.ts";
import { aClosedPosition, anActivity, aRecording } from "./reconcile-recordings.ts";

async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { exitCode, ...output } = await runReconcile(args);
  return { code: exitCode, ...output };
}

const bought = () => anActivity({ size: 10, price: 0.4 });

test("reconcile exits with 0 when everything agrees, with the same result as text and as JSON", async () => {
  const dir = await aRecording({
    "activity.ndjson": [bought()],
    "closed.json": [aClosedPosition({ title: "\u001b[31mWill it rain?" })],
  });
  const [text, json] = await Promise.all([run(dir), run(dir, "--json")]);
  expect([text.code, json.code]).toEqual([0, 0]);
  expect(text.stdout).toMatch(/ours +6\.000000 +theirs +6\.000000 +difference +0\.000000/);
  expect(text.stdout).toContain("PASSED");
  // Recorded text cannot control the terminal.
  expect(text.stdout).not.toContain("\u001b");
  expect(JSON.parse(json.stdout)).toMatchObject({
    passed: true,
    summary: { complete: 1, by_reason: { agrees: 1 }, within_cent_share: 1, p95_relative_error: 0 },
    positions: [
      {
        reason: "agrees",
        figures: [{ ours: "6.000000", theirs: "6.000000", difference: "0.000000", allowed: "0.010000" }],
      },
    ],
  });
});

test("reconcile exits with 1 when one complete position differs by more than rounding", async () => {
  const wrong = anActivity({ asset: "333", size: 10, price: 0.4 });
  const closed = [aClosedPosition(), aClosedPosition({ asset: "333", realizedPnl: 5.9 })];
  const { code, stdout } = await run(await aRecording({ "activity.ndjson": [bought(), wrong], "closed.json": closed }));
  expect(code).toBe(1);
  expect(stdout).toContain("FAILED: rounding explains 50 % of the positions with complete history");
});

test("reconcile exits with 1 for a recording without a complete position, even if it has totals", async () => {
  const totals = [
    { wallet_address: "0x".padEnd(42, "a"), lifetime_profit_usd: 6, profit_30d_usd: 0, lifetime_volume_usd: 9 },
  ];
  const dir = await aRecording({
    "activity.ndjson": [bought()],
    "lifetime.ndjson": totals,
    "closed.json": [aClosedPosition({ totalBought: 20 })],
  });
  const { code, stdout } = await run(dir, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    failures: [expect.stringContaining("nothing was compared")],
    positions: [{ reason: "missing history" }],
    totals: [{ ours: null, theirs: 6, reason: "not comparable" }],
  });
});

test("reconcile exits with 1 when more than one row in a hundred is unreadable", async () => {
  const trades = (count: number) => Array.from({ length: count }, () => anActivity({ asset: "333" }));
  const broken = anActivity({ side: "HOLD" });
  const closed = [aClosedPosition()];
  const [few, many] = await Promise.all([
    run(await aRecording({ "activity.ndjson": [bought(), ...trades(97), broken], "closed.json": closed })),
    run(await aRecording({ "activity.ndjson": [bought(), ...trades(96), broken], "closed.json": closed })),
  ]);
  expect([few.code, many.code]).toEqual([0, 1]);
  expect(many.stdout).toContain("FAILED: 1 of 99 rows were unreadable");
});

test("reconcile exits with 2 and one sentence for wrong arguments or a missing directory", async () => {
  const [none, missing] = await Promise.all([run(), run("/nowhere/at/all")]);
  expect([none.code, missing.code]).toEqual([2, 2]);
  expect(none.stderr.trim()).toBe("npm run reconcile -- DIR [--json]");
  expect(missing.stderr).toContain("/nowhere/at/all");
});
