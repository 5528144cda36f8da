import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { runCommand } from "../checks/run-command.ts";
import { RequestCounts } from "./request-counts.ts";

const TEST = "test/worker/cost/request-counts.test.ts";

/** The part of Vitest's JSON report with what the tests counted. */
const Report = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({
          meta: z.object({ requestCounts: z.object({ kind: z.string(), counts: z.unknown() }).optional() }),
        }),
      ),
    }),
  ),
});

/**
 * Counts the operations of each kind of request, by the test that compares them.
 *
 * @throws when a kind could not be counted
 */
export async function countRequests(): Promise<RequestCounts> {
  const dir = mkdtempSync(join(tmpdir(), "request-counts-"));
  try {
    const file = join(dir, "report.json");
    // Fails when counts have changed, which is why they are counted.
    const { output } = await runCommand(process.execPath, [
      ...["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "--project", "worker", TEST],
      ...["--reporter=default", "--reporter=json", `--outputFile=${file}`],
    ]);
    const counted = RequestCounts.safeParse(readCounts(file));
    if (!counted.success) throw new Error(`${output}\nnot every kind was counted: ${z.prettifyError(counted.error)}`);
    return counted.data;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function readCounts(file: string): unknown {
  const { testResults } = Report.parse(JSON.parse(readFileSync(file, "utf8")));
  const counted = testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ meta: { requestCounts } }) => requestCounts ?? []),
  );
  return Object.fromEntries(counted.map(({ kind, counts }) => [kind, counts]));
}
