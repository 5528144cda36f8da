import { expect, onTestFailed, test } from "vitest";
import { holds, runRestoreDrill } from "../../../scripts/faults/restore/restore-drill.ts";

test("after a restore to an earlier moment no key lives again, no cursor lies and no id is issued twice", async () => {
  const lines: string[] = [];
  onTestFailed(() => console.log(lines.join("\n")));
  const checks = await runRestoreDrill((line) => lines.push(line));
  expect(checks.filter((check) => !holds(check))).toEqual([]);
  expect(checks.length).toBe(24);
}, 240_000);
