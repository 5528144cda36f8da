import { parseArgs } from "node:util";
import { z } from "zod";
import { presentJson } from "./present-json.ts";
import { printReport } from "./print-report.ts";
import { reconcileRecording } from "./reconcile-recording.ts";

const USAGE = "npm run reconcile -- DIR [--json]";

const Arguments = z.object({
  positionals: z.tuple([z.string().min(1)]),
  values: z.object({ json: z.boolean().default(false) }),
});

export interface CommandOutcome {
  /**
   * 0 when every position with complete history agrees within the provider's rounding, 1 when one does not, 2
   * when the arguments or the directory are wrong.
   */
  readonly exitCode: 0 | 1 | 2;
  /** Empty with exit code 2. */
  readonly stdout: string;
  /** One sentence with exit code 2, otherwise empty. */
  readonly stderr: string;
}

/** The command `reconcile` without its process. */
export async function runReconcile(args: readonly string[]): Promise<CommandOutcome> {
  const given = parseArguments(args);
  if (given === null) return { exitCode: 2, stdout: "", stderr: USAGE };
  try {
    const result = await reconcileRecording(given.positionals[0]);
    const stdout = given.values.json ? presentJson(result) : printReport(result);
    return { exitCode: result.failures.length === 0 ? 0 : 1, stdout, stderr: "" };
  } catch (error) {
    return { exitCode: 2, stdout: "", stderr: error instanceof Error ? error.message : String(error) };
  }
}

function parseArguments(args: readonly string[]) {
  try {
    return Arguments.parse(
      parseArgs({ args: [...args], allowPositionals: true, options: { json: { type: "boolean" } } }),
    );
  } catch {
    return null;
  }
}
