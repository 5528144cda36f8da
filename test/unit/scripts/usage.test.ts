import { execFile } from "node:child_process";
import { expect, test } from "vitest";

/** Runs a command as npm does. */
function run(script: string, ...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const path = new URL(`../../../scripts/${script}.ts`, import.meta.url).pathname;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--disable-warning=ExperimentalWarning", path, ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

test.each([
  ["faults", ["webhooks", "--hours", "1"], /^Unknown option '--hours'.* Usage: npm run faults -- webhooks \[--minutes N\]/],
  ["faults", [], /^Name what is to be tried: webhooks\. Usage: /],
  ["soak", ["--rows", "1"], /^Unknown option '--rows'.* Usage: npm run soak -- \[--fills N\]/],
  ["soak", ["--fills", "--seed", "1"], /^Option '--fills' argument is ambiguous\. Usage: /],
] as const)("%s %j is told in one line, begins nothing, and ends with 2", async (script, args, line) => {
  const { code, stdout, stderr } = await run(script, ...args);
  expect({ code, stdout, lines: stderr.split("\n").length }).toEqual({ code: 2, stdout: "", lines: 2 });
  expect(stderr).toMatch(line);
});
