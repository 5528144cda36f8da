import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

/** The part of Vitest's JSON report that is used here. */
export const SuiteResult = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      /** Milliseconds since the epoch. */
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        // A test can throw a value that is not an error and has no message.
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string().catch("an error without a message")),
        }),
      ),
    }),
  ),
});

export type SuiteResult = z.output<typeof SuiteResult>;

/** The five test files that took longest, with their seconds. @param root paths are relative to it */
export const listLongestFiles = ({ testResults }: SuiteResult, root: string): string[] =>
  testResults
    .map(({ name, startTime, endTime }) => ({ path: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 5)
    .map(({ path, seconds }) => `${path} ${seconds.toFixed(1)} s`);

/** Vitest's output without its lines of passed tests. What failed outside the tests is in no list. */
export const withoutPassedTests = (output: string): string =>
  output
    .split("\n")
    .filter((line) => !/^\s*✓/.test(stripVTControlCharacters(line)))
    .join("\n");

const MOST_LISTED = 30;
const MESSAGE_LINES = 6;

/**
 * The failures: one entry for each failed test with the beginning of each message, and one for each file that
 * failed without a failed test, because it did not load or a hook failed.
 *
 * @param root paths are relative to it
 */
export function listFailedTests({ testResults }: SuiteResult, root: string): string[] {
  const failures = testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const tests = file.assertionResults.filter(({ status }) => status === "failed");
    if (tests.length === 0 && file.status === "failed")
      return [entry(path, [file.message || "a hook or something outside its tests failed"])];
    return tests.map((test) => entry(`${path} > ${test.fullName.trim()}`, test.failureMessages));
  });
  const left = failures.length - MOST_LISTED;
  return left > 0 ? [...failures.slice(0, MOST_LISTED), `and ${left} more`] : failures;
}

function entry(title: string, messages: readonly string[]): string {
  const lines = messages.flatMap((message) => message.split("\n").slice(0, MESSAGE_LINES));
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}
