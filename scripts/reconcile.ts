import { parseArgs } from "node:util";
import { z } from "zod";
import { presentJson } from "./reconcile/present-json.ts";
import { printReport } from "./reconcile/print-report.ts";
import { reconcileRecording } from "./reconcile/reconcile-recording.ts";

/*
 * Sets our profit and loss beside the provider's own figures in a recording (docs/reconciliation.md). Exit code 0 when every position
 * with complete history agrees within the provider's rounding, 1 when one does not, 2 when the arguments or the directory are wrong.
 */
const USAGE = "npm run reconcile -- DIR [--json]";

const Arguments = z.object({ positionals: z.tuple([z.string().min(1)]), values: z.object({ json: z.boolean().default(false) }) });

function parseArguments() {
  try {
    return Arguments.parse(parseArgs({ allowPositionals: true, options: { json: { type: "boolean" } } }));
  } catch {
    return null;
  }
}

const given = parseArguments();
if (given === null) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    const result = await reconcileRecording(given.positionals[0]);
    console.log(given.values.json ? presentJson(result) : printReport(result));
    process.exitCode = result.failures.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}
