import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { LONGEST_FILES } from "../../../support/setup/longest-first.ts";

test("every test file that starts early exists", () => {
  expect(LONGEST_FILES.filter((file) => !existsSync(file))).toEqual([]);
});
