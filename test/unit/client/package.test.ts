import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { buildClient, MAX_INDEX_BYTES } from "../../../scripts/client/build-client.ts";

const tsc = new URL("../../../node_modules/typescript/bin/tsc", import.meta.url).pathname;

/** Uses the package as its users do. */
const CONSUMER = `
import { createClient, CursorExpiredError, type WebhookEvent } from "prediction-market-activity-client";
import { verifyFile } from "prediction-market-activity-client/verify";
const client = createClient({ baseUrl: "https://api.test" });
export async function use(event: WebhookEvent): Promise<unknown> {
  const trader = await client.getTrader({ address: "x", expand: ["trust"] });
  const id: string = trader.data.id;
  const maybe = await client.getTrader({ address: "x" }, { ifNoneMatch: id });
  if (maybe.object !== "not_modified") maybe.data.id;
  for await (const row of client.rows.listLargeTrades({ min_grade: "A" })) row.trader.address;
  for await (const item of client.getStream({ min_grade: "A" })) if (item.kind === "resync") item.data.completeness.status;
  if (event.type === "trader_synced") event.data.trader_id;
  // @ts-expect-error address is required
  await client.getTrader();
  // @ts-expect-error no such parameter
  await client.getTrader({ address: "x", colour: 1 });
  // @ts-expect-error no such grade
  await client.listLargeTrades({ min_grade: "Z" });
  // @ts-expect-error null until it is known
  const size: string = (await client.getLargeTrade({ id: "wt_1" })).data.size_usd;
  return [size, CursorExpiredError, verifyFile];
}
`;

test("the package is small, imports nothing and has types for its users", async () => {
  const dir = mkdtempSync(join(tmpdir(), "package-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const built = join(dir, "node_modules/prediction-market-activity-client");
  const sizes = await buildClient(built);
  expect(sizes["index"]).toBeLessThanOrEqual(MAX_INDEX_BYTES);
  for (const file of ["index.js", "verify.js"])
    expect(readFileSync(join(built, file), "utf8")).not.toMatch(/\b(?:import|require|process|Buffer)\b[ (."'{]/);
  writeFileSync(join(dir, "use.ts"), CONSUMER);
  const options = ["--noEmit", "--strict", "--target", "es2023", "--module", "esnext", "--moduleResolution", "bundler"];
  const browser = ["--lib", "es2024,dom,dom.iterable", "--types", ""];
  const result = await promisify(execFile)(process.execPath, [tsc, ...options, ...browser, "use.ts"], {
    cwd: dir,
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  expect(result.stdout).toBe("");
});
