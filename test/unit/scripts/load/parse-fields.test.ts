import { expect, test } from "vitest";
import { toMicro, toPrice, toPriceUnits, USD_MICRO } from "../../../../scripts/load/files/parse-fields.ts";
import { parseMicro } from "../../../../src/domain/money.ts";
import { createRandom } from "../../../../scripts/provider/simulate/random.ts";
import { queryDuckDb } from "../../../support/archive/duckdb.ts";

const literal = (text: string) => `'${text}'`;

/** One value for each text, as text; null where the expression is null. */
async function evaluate(expression: string, texts: readonly string[]): Promise<(string | null)[]> {
  const rows = await queryDuckDb(
    `select (${expression})::varchar as value
     from unnest([${texts.map(literal).join(", ")}]) with ordinality as t(text, ord) order by ord`,
  );
  return rows.map((row) => row["value"] as string | null);
}

test("amounts have the millionths that parseMicro reads, in usual and in other spellings", async () => {
  const random = createRandom(1, "amounts");
  const usual = Array.from({ length: 500 }, () =>
    (random.next() * 10 ** random.integer(0, 8)).toFixed(random.integer(0, 6)),
  );
  const others = ["0", "0.0000005", "0.0000004", "12.3456785", "99999999.999999", "123456789.1", "0.00000049999999"];
  const texts = [...usual, ...others];
  expect(await evaluate(toMicro("text"), texts)).toEqual(texts.map((text) => parseMicro(text)?.toString() ?? null));
  expect(await evaluate(toMicro("text"), ["1e-7", "6e-7", "2.5e3"])).toEqual(["0", "1", "2500000000"]);
  expect(await evaluate(toMicro("text"), ["", "abc", "1_0.5x", "inf", "nan"])).toEqual([null, null, null, null, null]);
});

test("dollars are shares times price, rounded half away from zero, at any number of decimals", async () => {
  const random = createRandom(2, "prices");
  const cases = Array.from({ length: 500 }, () => ({
    shares: BigInt(Math.floor(random.next() * 10 ** random.integer(1, 15))),
    price: Math.min(1, random.next()).toFixed(random.integer(1, 20)),
  }));
  cases.push(
    { shares: 1n, price: "0.5" },
    { shares: 90_000_000_000_000n, price: "0.9999999999" },
    { shares: 90_000_000_000_001n, price: "0.9999999999" },
    { shares: 10_000_000_000_000_000n, price: "1" },
  );
  const rows = await queryDuckDb(
    `select ${USD_MICRO}::varchar as usd from (
       select ord, shares::bigint as shares_micro, ${toPriceUnits("price")} as price_units,
         case when price_units is null then ${toPrice("price")} end as exact_price
       from (select unnest([${cases.map(({ shares }) => `'${shares}'`).join(", ")}]) as shares,
         unnest([${cases.map(({ price }) => literal(price)).join(", ")}]) as price,
         unnest(range(${cases.length})) as ord)
     ) order by ord`,
  );
  expect(rows.map((row) => row["usd"])).toEqual(
    cases.map(({ shares, price }) => {
      const [whole = "", decimals = ""] = price.split(".");
      const scale = 10n ** BigInt(decimals.length);
      return String((2n * shares * BigInt(whole + decimals) + scale) / (2n * scale));
    }),
  );
});
