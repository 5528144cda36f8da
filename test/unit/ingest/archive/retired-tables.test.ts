import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = new URL("../../../../src", import.meta.url).pathname;
/** Where rows of `market_resolutions` are declared, archived and deleted. */
const ARCHIVE = ["db/fragments/archive-rows.ts", "db/schema/files/archive.ts", "ingest/archive/retire-days.ts"];

test("only the archive reads the results that may leave Postgres", () => {
  const users = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => /marketResolutions|market_resolutions/.test(readFileSync(join(SOURCE, file), "utf8")));
  expect(users.toSorted()).toEqual(ARCHIVE);
});
