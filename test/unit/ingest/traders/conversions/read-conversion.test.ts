import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  mayListConvertedQuestions,
  readConversion,
  type ConversionRow,
  type Question,
} from "../../../../../src/ingest/traders/conversions/read-conversion.ts";
import { sized } from "../../../../support/sized.ts";

const NOON = 1_760_000_000_000;
const questionOf = (index: number, facts: Partial<Question> = {}): Question => ({
  conditionId: `condition ${index}`,
  marketId: index,
  yesOutcomeId: 100 + index,
  noOutcomeId: 200 + index,
  noTokenId: `no ${index}`,
  startAtMs: NOON - 1,
  ...facts,
});
const event = (count: number) => Array.from({ length: count }, (_, index) => questionOf(index));

/** One row per question, with all the dollars on the first. */
function rowsOf(
  indexes: readonly number[],
  facts: { size?: bigint; usd?: bigint; tokens?: boolean } = {},
): ConversionRow[] {
  const { size = 7_000_000n, usd = size * BigInt(indexes.length - 1), tokens = false } = facts;
  return indexes.map((index, position) => ({
    conditionId: `condition ${index}`,
    tokenId: tokens ? `no ${index}` : "",
    sharesMicro: size,
    usdMicro: position === 0 ? usd : 0n,
    happenedAtMs: NOON,
  }));
}

// Computed by hand, 10 micro-shares of questions 0 and 2 of three: values 4, 3, 3; NO leaves at 6 and 7, YES
// arrives at 3; 13 - 3 is the 10 paid.
test("a conversion books the NO of the named questions out and the YES of the others in, at the event's uniform price", () => {
  expect(readConversion(rowsOf([2, 0], { size: 10n }), event(3))).toEqual([
    { kind: "convert_out", marketId: 0, outcomeId: 200, sharesMicro: 10n, usdMicro: 6n, price: "0.6666666667" },
    { kind: "convert_in", marketId: 1, outcomeId: 101, sharesMicro: 10n, usdMicro: 3n, price: "0.3333333333" },
    { kind: "convert_out", marketId: 2, outcomeId: 202, sharesMicro: 10n, usdMicro: 7n, price: "0.6666666667" },
  ]);
});

test("a conversion of all questions only pays dollars", () => {
  const legs = readConversion(rowsOf([0, 1, 2], { size: 9n }), event(3));
  expect(legs?.map(({ kind, usdMicro }) => [kind, usdMicro])).toEqual([0, 1, 2].map(() => ["convert_out", 6n]));
});

test("the dollars of a conversion may be spread over its rows in any way", () => {
  const spread = rowsOf([0, 1, 2], { size: 10n, usd: 0n }).map((row, position) => ({
    ...row,
    usdMicro: [7n, 13n, 0n][position] ?? 0n,
  }));
  expect(readConversion(spread, event(7))).not.toBeNull();
});

describe("conversions that cannot be read", () => {
  const good = rowsOf([0, 1]);
  const [first] = good;
  if (first === undefined) throw new Error("two rows");
  const refused: [string, readonly ConversionRow[]][] = [
    ["with one row, whatever its dollars", rowsOf([0])],
    ["with one row that names its NO token", rowsOf([0], { tokens: true })],
    ["with one row whose dollars are its size", rowsOf([0], { usd: 7_000_000n })],
    ["with no rows", []],
    ["with one condition named twice", [first, { ...first, usdMicro: 0n }]],
    ["with unequal sizes", good.map((row, position) => ({ ...row, sharesMicro: 7_000_000n - BigInt(position) }))],
    ["with rows without dollars", rowsOf([0, 1], { usd: 0n })],
    ["with rows without dollars but with their NO tokens", rowsOf([0, 1], { usd: 0n, tokens: true })],
    ["with a millionth too little", rowsOf([0, 1], { usd: 6_999_999n })],
    ["with a millionth too much", rowsOf([0, 1], { usd: 7_000_001n })],
    ["with its size as the dollars of every row", rowsOf([0, 1]).map((row) => ({ ...row, usdMicro: row.sharesMicro }))],
    ["with a row that has no condition", [first, { ...first, conditionId: "", usdMicro: 0n }]],
    ["with a condition that is not a question of the event", rowsOf([0, 9])],
    ["with size 0", rowsOf([0, 1], { size: 0n })],
    ["with rows of two moments", good.map((row, position) => ({ ...row, happenedAtMs: NOON + position * 1000 }))],
    ["with a token that is not the question's NO", good.map((row) => ({ ...row, tokenId: "yes 0" }))],
    ["with some of its rows missing", rowsOf([0, 1, 2]).slice(0, 2)],
    [
      "with rows of the questions whose YES arrived (2 of 5, so 3 were converted)",
      rowsOf([3, 4], { usd: 14_000_000n }),
    ],
    ["with rows of every question, although two were converted", rowsOf([0, 1, 2, 3, 4], { usd: 7_000_000n })],
  ];
  test.each(refused)("a conversion %s is not booked", (_, rows) => {
    expect(readConversion(rows, event(5))).toBeNull();
  });

  test("a conversion is not booked while its event is not known in full", () => {
    expect(readConversion(good, null)).toBeNull();
    expect(readConversion(good, event(5))).not.toBeNull();
  });

  test("a conversion is not booked while a question of its event may not have existed", () => {
    const laterEvent = event(5).with(4, questionOf(4, { startAtMs: NOON + 1 }));
    expect(readConversion(good, laterEvent)).toBeNull();
    expect(readConversion(good, event(5).with(4, questionOf(4, { startAtMs: NOON })))).not.toBeNull();
  });

  test("a conversion of half of the questions is only booked if every row has its NO token, because the other half fits too", () => {
    const half = rowsOf([0, 1], { tokens: true });
    expect(readConversion(rowsOf([0, 1]), event(4))).toBeNull();
    expect(readConversion(half.with(1, { ...first, conditionId: "condition 1", usdMicro: 0n }), event(4))).toBeNull();
    expect(readConversion(half, event(4))).not.toBeNull();
  });
});

/**
 * The chain's effect, and the ways in which a feed could report it: by the converted questions, by those
 * whose YES arrived, by all questions, or in one row. Only a correct report may be read, and only as what
 * happened.
 */
test("no report of a conversion is read as another conversion", () => {
  const aConversion = fc.integer({ min: 2, max: 9 }).chain((questions) =>
    fc.record({
      questions: fc.constant(questions),
      converted: fc.subarray([...Array(questions).keys()], { minLength: 1 }),
      size: fc.bigInt(1n, 10_000_000_000n),
      report: fc.constantFrom("converted", "received", "all", "one"),
      money: fc.constantFrom("first", "last", "none", "size"),
    }),
  );
  fc.assert(
    fc.property(aConversion, ({ questions, converted, size, report, money }) => {
      const all = [...Array(questions).keys()];
      const named = {
        converted,
        received: all.filter((index) => !converted.includes(index)),
        all,
        one: converted.slice(0, 1),
      }[report];
      const paid = BigInt(converted.length - 1) * size;
      const rows = rowsOf(named, { size, usd: 0n }).map((row, position) => {
        const amounts = {
          first: position === 0 ? paid : 0n,
          last: position === named.length - 1 ? paid : 0n,
          none: 0n,
          size,
        };
        return { ...row, usdMicro: amounts[money] };
      });
      const legs = readConversion(rows, event(questions));
      if (legs === null) return;
      expect(mayListConvertedQuestions(rows)).toBe(true);
      const out = legs.filter(({ kind }) => kind === "convert_out");
      expect(out.map(({ marketId }) => marketId)).toEqual(converted);
      const balance = legs.reduce(
        (sum, { kind, usdMicro }) => (kind === "convert_out" ? sum + usdMicro : sum - usdMicro),
        0n,
      );
      expect(balance).toBe(paid);
      expect(legs).toHaveLength(questions);
    }),
    { numRuns: sized({ short: 500, full: 2_000 }) },
  );
});
