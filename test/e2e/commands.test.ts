import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { aClosedPosition, anActivity, aRecording } from "../unit/scripts/reconcile/reconcile-recordings.ts";

/** Runs a command as npm does. */
function run(script: string, ...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const path = new URL(`../../scripts/${script}/main.ts`, import.meta.url).pathname;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--disable-warning=ExperimentalWarning", path, ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

test.each([
  [
    "faults",
    ["webhooks", "--hours", "1"],
    /^Unknown option '--hours'.* Usage: npm run faults -- webhooks \[--minutes N\]/,
  ],
  ["faults", [], /^Name what to test: webhooks, files, stream-deploy or restore\. Usage: /],
  ["soak", ["--rows", "1"], /^Unknown option '--rows'.* Usage: npm run soak -- \[--fills N\]/],
  ["soak", ["--fills", "--seed", "1"], /^Option '--fills' argument is ambiguous\. Usage: /],
] as const)("the command %s refuses the arguments %j in one line and exits with 2", async (script, args, line) => {
  const { code, stdout, stderr } = await run(script, ...args);
  expect({ code, stdout, lines: stderr.split("\n").length }).toEqual({ code: 2, stdout: "", lines: 2 });
  expect(stderr).toMatch(line);
});

test("the process of reconcile ends with the exit code and the output of the command", async () => {
  const dir = await aRecording({
    "activity.ndjson": [anActivity({ size: 10, price: 0.4 })],
    "closed.json": [aClosedPosition({ realizedPnl: 5.9 })],
  });
  const [wrong, refused] = await Promise.all([run("reconcile", dir), run("reconcile")]);
  expect([wrong.code, refused.code]).toEqual([1, 2]);
  expect(wrong.stdout).toContain("FAILED: rounding explains 0 % of the positions with complete history");
  expect(refused).toMatchObject({ stdout: "", stderr: "npm run reconcile -- DIR [--json]\n" });
});
