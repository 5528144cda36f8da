import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

let db: Database;

beforeEach(async () => {
  ({ db } = await createTestDatabase());
});

const listTexts = async () =>
  (
    await db.execute(
      sql`select m.condition_id, t.title, t.slug, t.search::text as search, t.xmin::text as written_by
        from market_texts t join markets m on m.id = t.market_id order by m.id`,
    )
  ).rows;

const COMBINATION = `0x03${"1".repeat(60)}`;

test("markets with a title have a text, and combinations have none", async () => {
  await db.execute(sql`insert into markets (condition_id, title, slug) values ('0xa', 'Will It Rain?', 'rain'),
    ('0xb', null, 'no-title'), ('0xc', '', 'empty-title'), (${COMBINATION}, 'Rain and Snow', 'both'), ('0xd', 'Will It Snow?', null)`);
  expect(await listTexts()).toMatchObject([
    { condition_id: "0xa", title: "Will It Rain?", slug: "rain", search: "'it':2 'rain':3,4 'will':1" },
    { condition_id: "0xd", title: "Will It Snow?", slug: null, search: "'it':2 'snow':3 'will':1" },
  ]);
});

test("a text follows the title and the slug of its market", async () => {
  await db.execute(sql`insert into markets (condition_id) values ('0xa')`);
  expect(await listTexts()).toEqual([]);
  await db.execute(sql`update markets set title = 'Will It Rain?'`);
  expect(await listTexts()).toMatchObject([{ title: "Will It Rain?", slug: null }]);
  await db.execute(sql`update markets set slug = 'rain'`);
  expect(await listTexts()).toMatchObject([{ title: "Will It Rain?", slug: "rain" }]);
  await db.execute(sql`update markets set title = 'Will It Snow?'`);
  expect(await listTexts()).toMatchObject([{ title: "Will It Snow?", search: "'it':2 'rain':4 'snow':3 'will':1" }]);
  await db.execute(sql`update markets set title = ''`);
  expect(await listTexts()).toEqual([]);
});

test("figures of a market do not write its text", async () => {
  await db.execute(sql`insert into markets (condition_id, title, slug) values ('0xa', 'Will It Rain?', 'rain')`);
  const before = await listTexts();
  await db.execute(
    sql`update markets set volume_usd = 5, figures_as_of = now(), title = 'Will It Rain?', closed = true`,
  );
  expect(await listTexts()).toEqual(before);
});

test("the migration fills in the texts of markets that were stored before, and keeps newer ones", async () => {
  await db.execute(sql`insert into markets (condition_id, title, slug) values ('0xa', 'Will It Rain?', 'rain'),
    ('0xb', 'Will It Snow?', null), ('0xc', '', 'empty-title'), (${COMBINATION}, 'Rain and Snow', 'both')`);
  const whole = await listTexts();
  expect(whole).toHaveLength(2);
  await db.execute(sql`delete from market_texts where title = 'Will It Snow?'`);
  await db.execute(sql`update market_texts set title = 'Will It Hail?'`);
  for (let round = 1; round <= 2; round++) {
    for (const statement of readFileSync("migrations/0026_market_texts_filled.sql", "utf8").split(
      "--> statement-breakpoint",
    ))
      await db.execute(sql.raw(statement));
    expect(await listTexts()).toMatchObject([
      { condition_id: "0xa", title: "Will It Hail?", slug: "rain" },
      { condition_id: "0xb", title: "Will It Snow?", slug: null, search: "'it':2 'snow':3 'will':1" },
    ]);
  }
});
