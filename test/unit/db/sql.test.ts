import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { m } from "../../../src/db/aliases.ts";
import { isInKnownMarket } from "../../../src/db/fragments/completeness.ts";
import { alias, renderSql } from "../../../src/db/sql.ts";
import { positions, traderTotals } from "../../../src/db/schema.ts";

test("an alias names its table in a from clause, and itself before a column", () => {
  expect(renderSql(sql`select ${m.conditionId} from ${m} where ${m.id} = ${7}`)).toMatchObject({
    sql: `select "m"."condition_id" from "markets" "m" where "m"."id" = $1`,
    params: [7],
  });
});

test("a fragment works over any alias of its table", () => {
  const [held, sums] = [alias(positions, "held"), alias(traderTotals, "sums")];
  const { sql: text } = renderSql(isInKnownMarket(held, sums));
  expect(text).toContain(`coalesce("sums"."combination_markets", 0)`);
  expect(text).toContain(`from "markets" "combined"`);
  expect(text).toContain(`= "held"."market_id"`);
});
