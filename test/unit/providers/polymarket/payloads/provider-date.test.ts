import { expect, test } from "vitest";
import { parseProviderDate } from "../../../../../src/providers/polymarket/payloads/provider-date.ts";

test.each([
  ["2026-09-09T21:19:19Z", "2026-09-09T21:19:19.000Z"],
  ["2026-07-03T05:32:36.167691882Z", "2026-07-03T05:32:36.167Z"],
  ["2026-04-05 19:37:33+00", "2026-04-05T19:37:33.000Z"],
  ["2023-10-24 22:37:50.296+00", "2023-10-24T22:37:50.296Z"],
  ["2026-04-05 19:37:33+0530", "2026-04-05T14:07:33.000Z"],
  ["2026-04-05 19:37:33-04:00", "2026-04-05T23:37:33.000Z"],
  ["2026-04-05", "2026-04-05T00:00:00.000Z"],
  ["1790649809", "2026-09-29T02:43:29.000Z"],
])("the date %s is read as %s", (text, iso) => {
  expect(parseProviderDate(text)?.toISOString()).toBe(iso);
});

test.each(["yesterday", "2026-13-40", "2026-04-05 25:00:00+00", "12", "1790649809000"])(
  "the text %s is not a date",
  (text) => {
    expect(parseProviderDate(text)).toBeNull();
  },
);
