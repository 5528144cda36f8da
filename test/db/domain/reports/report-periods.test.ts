import { describe, expect, test } from "vitest";
import {
  rangeEnd,
  countDays,
  finalAfter,
  parsePeriod,
  type ReportKind,
} from "../../../../src/domain/reports/report-periods.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

const rangeOf = (kind: ReportKind, text: string) => {
  const period = parsePeriod(kind, text);
  return period === null ? null : `${period.startOn}..${period.endOn}`;
};

test.each<[ReportKind, string, string]>([
  ["daily", "2026-11-20", "2026-11-20..2026-11-20"],
  ["daily", "2028-02-29", "2028-02-29..2028-02-29"],
  // The boundaries of ISO 8601: a week belongs to the year of its Thursday.
  ["weekly", "2026-47", "2026-11-16..2026-11-22"],
  ["weekly", "2026-01", "2025-12-29..2026-01-04"],
  ["weekly", "2020-53", "2020-12-28..2021-01-03"],
  ["weekly", "2027-01", "2027-01-04..2027-01-10"],
  ["monthly", "2026-11", "2026-11-01..2026-11-30"],
  ["monthly", "2026-12", "2026-12-01..2026-12-31"],
  ["monthly", "2028-02", "2028-02-01..2028-02-29"],
])("the %s period %s is %s", (kind, text, expected) => {
  expect(rangeOf(kind, text)).toBe(expected);
});

test.each<[ReportKind, string]>([
  ["daily", "2026-02-30"],
  ["daily", "2026-13-01"],
  ["daily", "0000-01-01"],
  ["daily", "9999-12-31"],
  ["daily", "2026-11"],
  ["weekly", "2026-00"],
  ["weekly", "2026-54"],
  ["weekly", "2021-53"],
  ["weekly", "0000-10"],
  ["weekly", "9999-52"],
  ["weekly", "2026-W47"],
  ["monthly", "2026-00"],
  ["monthly", "2026-13"],
  ["monthly", "9999-12"],
  ["monthly", "2026-11-20"],
])("the %s period %s is invalid", (kind, text) => {
  expect(rangeOf(kind, text)).toBeNull();
});

test("the weeks and months of sixty years match those of Postgres", async () => {
  const { db } = await createTestDatabase();
  for (const [kind, form] of [
    ["weekly", "IYYY-IW"],
    ["monthly", "YYYY-MM"],
  ] as const) {
    const { rows } = await db.execute(
      `select to_char(day, '${form}') as period, min(day)::date::text || '..' || max(day)::date::text as range
       from generate_series(timestamp '1989-12-01', timestamp '2050-01-31', interval '1 day') day
       group by 1 having min(day) > '1990-01-01' and max(day) < '2050-01-01'`,
    );
    expect(rows.length).toBeGreaterThan(700);
    for (const { period, range } of rows) expect([period, rangeOf(kind, String(period))]).toEqual([period, range]);
  }
});

describe("a range", () => {
  const range = { startOn: "2026-11-16", endOn: "2026-11-22" };

  test("a range counts its first and its last day", () => {
    expect(countDays(range)).toBe(7);
    expect(countDays({ startOn: "2026-10-24", endOn: "2026-10-26" })).toBe(3);
  });

  test("a range closes with its last day and is final 2 hours, 5 minutes and 30 seconds later", () => {
    expect(rangeEnd(range).toISOString()).toBe("2026-11-23T00:00:00.000Z");
    expect(finalAfter(range).toISOString()).toBe("2026-11-23T02:05:30.000Z");
  });
});
