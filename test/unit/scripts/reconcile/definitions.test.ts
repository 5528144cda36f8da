import { expect, test } from "vitest";
import { reconcileRecording } from "../../../../scripts/reconcile/reconcile-recording.ts";
import { anActivity, anOpenPosition, aRecording, WALLET } from "./reconcile-recordings.ts";

// 10 bought at 0.40, 4 sold at 0.50, the rest priced at 0.70: cost 2.40, value 4.20; relative to the total
// cost of 4.00 that is 105 %.
const ACTIVITY = [anActivity({ size: 10, price: 0.4 }), anActivity({ side: "SELL", size: 4, price: 0.5 })];
const FITTING = {
  size: 6,
  realizedPnl: 0.4,
  initialValue: 2.4,
  currentValue: 4.2,
  cashPnl: 1.8,
  percentPnl: 75,
  percentRealizedPnl: 5,
};
const PAGE = {
  file: "pages.json",
  kind: "UI",
  captured_at: "2025-12-08",
  wallet: WALLET,
  uiPnl: 10,
  gain: 15,
  loss: -5,
};

async function countsOf(
  position: Record<string, unknown>,
  page: Record<string, unknown> = {},
): Promise<Record<string, string>> {
  const { definitions } = await reconcileRecording(
    await aRecording({
      "activity.ndjson": ACTIVITY,
      "positions.json": [anOpenPosition({ ...FITTING, ...position })],
      "pages.ndjson": [{ ...PAGE, ...page }],
    }),
  );
  return Object.fromEntries(
    definitions.map(({ formula, holds, rows }) => [formula.split(/ (?:=|net)/)[0] ?? "", `${holds}/${rows}`]),
  );
}

const ALL = {
  initialValue: "1/1",
  currentValue: "1/1",
  cashPnl: "1/1",
  percentPnl: "1/1",
  percentRealizedPnl: "1/1",
  avgPrice: "1/1",
  "profile page:": "1/1",
};

test("a position row computed by hand matches every formula", async () => {
  expect(await countsOf({})).toEqual(ALL);
});

test.each([
  ["initialValue", { initialValue: 2.41 }],
  ["currentValue", { currentValue: 4.21 }],
  ["cashPnl", { cashPnl: 2.2 }],
  ["percentPnl", { percentPnl: 75.1 }],
  ["percentRealizedPnl", { percentRealizedPnl: 5.2 }],
  ["avgPrice", { avgPrice: 0.4001 }],
])("a position row with a wrong %s fails that formula", async (formula, fields) => {
  expect((await countsOf(fields))[formula]).toBe("0/1");
});

test("a page with an unsigned loss fails net = gain + loss, and one with a cent of rounding does not", async () => {
  expect((await countsOf({}, { loss: 5 }))["profile page:"]).toBe("0/1");
  expect((await countsOf({}, { uiPnl: 10.01 }))["profile page:"]).toBe("1/1");
});
