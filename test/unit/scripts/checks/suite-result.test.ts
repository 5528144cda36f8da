import { expect, test } from "vitest";
import {
  listFailedTests,
  listLongestFiles,
  SuiteResult,
  withoutPassedTests,
} from "../../../../scripts/checks/suite-result.ts";

const report = (files: object[]) =>
  SuiteResult.parse({
    ...{ numTotalTests: 1, numPassedTests: 0, numFailedTests: 1, success: false },
    testResults: files.map((file) => ({ startTime: 0, endTime: 0, ...file })),
  });
const passed = { fullName: "it holds", status: "passed", title: "it holds", failureMessages: [] };
const failing = (fullName: string, ...failureMessages: string[]) => ({ fullName, status: "failed", failureMessages });

test("a failed test is reported by its file and full name, with the first six lines of each message", () => {
  const long = Array.from({ length: 9 }, (_, line) => `line ${line + 1}`).join("\n");
  const result = report([
    { name: "/root/test/a.test.ts", status: "passed", message: "", assertionResults: [passed] },
    {
      name: "/root/test/b.test.ts",
      status: "failed",
      message: "",
      assertionResults: [passed, failing(" a wallet is named", long, "Error: second")],
    },
  ]);
  const lines = ["line 1", "line 2", "line 3", "line 4", "line 5", "line 6", "Error: second"].map(
    (line) => `  ${line}`,
  );
  expect(listFailedTests(result, "/root")).toEqual([["test/b.test.ts > a wallet is named", ...lines].join("\n")]);
});

test("a file that could not be loaded is reported with the reason, and one with a failed hook is reported too", () => {
  const result = report([
    { name: "/root/test/a.test.ts", status: "failed", message: "Cannot find module './gone.ts'", assertionResults: [] },
    {
      name: "/root/test/b.test.ts",
      status: "failed",
      message: "",
      assertionResults: [{ ...passed, status: "skipped" }],
    },
  ]);
  expect(listFailedTests(result, "/root")).toEqual([
    "test/a.test.ts\n  Cannot find module './gone.ts'",
    "test/b.test.ts\n  a hook or something outside its tests failed",
  ]);
});

test("a report of very many failures has the first of them and counts the others", () => {
  const assertionResults = Array.from({ length: 34 }, (_, index) => failing(`test ${index}`));
  const reported = listFailedTests(
    report([{ name: "/root/a.test.ts", status: "failed", message: "", assertionResults }]),
    "/root",
  );
  expect(reported.at(0)).toBe("a.test.ts > test 0");
  expect(reported.slice(-2)).toEqual(["a.test.ts > test 29", "and 4 more"]);
});

test("the five files that took longest are named with their seconds, the longest first", () => {
  const files = [1_000, 62_340, 500, 8_000, 900, 700].map((ms, index) => ({
    ...{ name: `/root/test/${index}.test.ts`, status: "passed", message: "", assertionResults: [passed] },
    ...{ startTime: 1_000_000, endTime: 1_000_000 + ms },
  }));
  expect(listLongestFiles(report(files), "/root")).toEqual([
    "test/1.test.ts 62.3 s",
    "test/3.test.ts 8.0 s",
    "test/0.test.ts 1.0 s",
    "test/4.test.ts 0.9 s",
    "test/5.test.ts 0.7 s",
  ]);
});

test("the output of a failed suite has everything but the lines of passed tests", () => {
  const error = "Error: read ECONNRESET\n ❯ test/a.test.ts:3:1";
  const output = ` RUN  v4\n \u001b[32m✓\u001b[39m unit test/a.test.ts (3 tests) 5ms\n   ✓ a slow test 900ms\n${error}`;
  expect(withoutPassedTests(output)).toBe(` RUN  v4\n${error}`);
});
