import { CENT_MICRO, type ComparedPosition } from "./compared-position.ts";
import type { ProviderTotal } from "./recording-facts.ts";

/**
 * A formula for one of the provider's figures, with the number of testable rows and of rows on which it
 * holds.
 */
export interface Definition {
  readonly formula: string;
  readonly holds: number;
  readonly rows: number;
}

/** Percentages are cut to four decimals and were computed from unrounded parts. */
const PERCENT_TOLERANCE = 0.001;
const CENT_USD = Number(CENT_MICRO) / 1e6;
/** Net, gain and loss are each rounded to a cent on the page. */
const PAGE_TOLERANCE_USD = 1.5 * CENT_USD;

/** Tests the formulas of docs/reconciliation.md on every row that can test them. */
export function checkDefinitions(
  positions: readonly ComparedPosition[],
  totals: readonly ProviderTotal[],
): Definition[] {
  const open = positions.flatMap(({ position }) =>
    position.open === null
      ? []
      : [
          {
            ...position,
            ...position.open,
            bought: usd(position.boughtSharesMicro),
            held: usd(position.openSharesMicro),
          },
        ],
  );
  // An average of four decimals is cut, so a product with it is too low by up to one step for each share.
  const cut = ({ stepMicro }: { stepMicro: bigint }) => Number(stepMicro) / 1e6;
  const replayed = positions.filter(
    ({ history, replayedAverageMicro }) => history.isComplete && replayedAverageMicro !== null,
  );
  const pages = totals.flatMap(({ page }) => (page === null ? [] : [page]));
  return [
    test("initialValue = size * average price", open, (row) =>
      isWithin(row.initialValueUsd, row.held * row.averagePrice, row.held * cut(row)),
    ),
    test("currentValue = size * curPrice", open, (row) =>
      isWithin(row.currentValueUsd, row.held * Number(row.price), cut(row)),
    ),
    test("cashPnl = currentValue - initialValue", open, (row) =>
      isWithin(usd(row.cashPnlMicro), row.currentValueUsd - row.initialValueUsd, 2 * cut(row)),
    ),
    test("percentPnl = 100 * cashPnl / initialValue", open, (row) =>
      isWithin(row.percentPnl, (100 * usd(row.cashPnlMicro)) / row.initialValueUsd, PERCENT_TOLERANCE),
    ),
    test("percentRealizedPnl = 100 * (currentValue / (totalBought * average price) - 1)", open, (row) => {
      const percentOfCost = (100 * row.currentValueUsd) / (row.bought * row.averagePrice);
      return isWithin(
        row.percentRealizedPnl,
        percentOfCost - 100,
        PERCENT_TOLERANCE + (percentOfCost * cut(row)) / row.averagePrice,
      );
    }),
    test(
      "avgPrice = average of its own arithmetic, cut to the printed decimals",
      replayed,
      ({ position, replayedAverageMicro }) => {
        const step = position.stepMicro;
        return (
          replayedAverageMicro !== null &&
          (replayedAverageMicro / step) * step === BigInt(Math.round(position.averagePrice * 1e6))
        );
      },
    ),
    test("profile page: net = gain + loss", pages, ({ net, gain, loss }) =>
      isWithin(net, gain + loss, PAGE_TOLERANCE_USD),
    ),
  ];
}

function test<Row>(formula: string, rows: readonly Row[], holds: (row: Row) => boolean): Definition {
  return { formula, holds: rows.filter(holds).length, rows: rows.length };
}

// Products of doubles are inexact in the last digits.
const isWithin = (value: number, expected: number, tolerance: number): boolean =>
  Math.abs(value - expected) <= tolerance + 1e-6;

const usd = (micro: bigint): number => Number(micro) / 1e6;
