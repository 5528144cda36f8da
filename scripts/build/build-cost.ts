import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { countRequests } from "../cost/count-requests.ts";
import { renderCost } from "../cost/render-cost.ts";
import { readRequestCounts } from "../cost/request-counts.ts";

/*
 * Writes docs/cost.md from the recorded counts and the prices.
 *   node scripts/build/build-cost.ts           writes it
 *   node scripts/build/build-cost.ts --count   counts the requests first and records the counts
 *   node scripts/build/build-cost.ts --check   fails when the stored file is outdated
 */
const root = new URL("../../", import.meta.url);
const target = new URL("docs/cost.md", root);
const recorded = new URL("scripts/cost/request-counts.json", root);

let counts = readRequestCounts();
if (process.argv.includes("--count")) {
  counts = await countRequests();
  writeFileSync(recorded, `${JSON.stringify(counts, null, 2)}\n`);
}
const text = renderCost(counts);

if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
  console.error("docs/cost.md is outdated: run npm run cost");
  process.exitCode = 1;
}
