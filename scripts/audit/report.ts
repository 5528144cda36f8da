import { comparableText } from "./compare.ts";
import type { OperationResult } from "./run-checks.ts";

/** At most this fraction of an operation's items may stay unsettled. */
const MOST_UNSETTLED = 0.01;
const SHOWN = 3;
const LONGEST_VALUE = 160;

/** Operations with differences or with too many unsettled items. */
export const failuresOf = (results: readonly OperationResult[]): OperationResult[] =>
  results.filter(
    ({ compared, differences, unsettled }) => differences.length > 0 || unsettled.length > compared * MOST_UNSETTLED,
  );

export function reportLines(results: readonly OperationResult[], seconds: number): string[] {
  const sum = (of: (result: OperationResult) => number) =>
    results.reduce((total, result) => total + of(result), 0).toLocaleString("en-US");
  return [
    ...results.flatMap(({ operation, differences }) =>
      differences
        .slice(0, SHOWN)
        .flatMap((item) => item.differences.slice(0, SHOWN).map((one) => `  ${operation} ${item.id} ${present(one)}`)),
    ),
    `${sum(({ compared }) => compared)} compared, ${sum(({ differences }) => differences.length)} differences, ${sum(({ unsettled }) => unsettled.length)} unsettled, ${seconds.toFixed(0)} s`,
  ];
}

const present = ({ field, expected, got }: OperationResult["differences"][number]["differences"][number]): string =>
  `${field}: expected ${short(expected)}, got ${short(got)}`;

function short(value: unknown): string {
  const text = comparableText(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
