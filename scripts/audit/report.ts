import { comparableText, type Difference } from "./compare.ts";
import type { OperationResult, WrongItem } from "./run-checks.ts";

/** At most this fraction of an operation's items may stay unsettled. */
const MOST_UNSETTLED = 0.01;
const SHOWN = 3;
const LONGEST_VALUE = 160;

/** Operations with differences or with too many unsettled items. */
export const failuresOf = (results: readonly OperationResult[]): OperationResult[] =>
  results.filter((result) => result.differences.length > 0 || hasTooManyUnsettled(result));

const hasTooManyUnsettled = ({ compared, unsettled }: OperationResult): boolean =>
  unsettled.length > compared * MOST_UNSETTLED;

/** Every cause of a failure, and one line with the totals. */
export function reportLines(results: readonly OperationResult[], seconds: number): string[] {
  const sum = (of: (result: OperationResult) => number) =>
    results.reduce((total, result) => total + of(result), 0).toLocaleString("en-US");
  return [
    ...results.flatMap((result) => [
      ...itemLines(result.operation, result.differences),
      ...(hasTooManyUnsettled(result) ? itemLines(`${result.operation} unsettled`, result.unsettled) : []),
    ]),
    `${sum(({ compared }) => compared)} compared, ${sum(({ differences }) => differences.length)} differences, ${sum(({ unsettled }) => unsettled.length)} unsettled, ${seconds.toFixed(0)} s`,
  ];
}

const itemLines = (title: string, items: readonly WrongItem[]): string[] =>
  items
    .slice(0, SHOWN)
    .flatMap(({ id, differences }) => differences.slice(0, SHOWN).map((one) => `  ${title} ${id} ${present(one)}`));

const present = ({ field, expected, got }: Difference): string =>
  `${field}: expected ${short(expected)}, got ${short(got)}`;

function short(value: unknown): string {
  const text = comparableText(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
