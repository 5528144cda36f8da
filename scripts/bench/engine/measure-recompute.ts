import { recompute } from "../../recompute/recompute.ts";
import { median } from "../reads/measure-load.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { prepareSums, selectSums, type TraderSums } from "./sums-in-sql.ts";

const ROUNDS = 5;

/**
 * Recomputes all traders and computes the same sums with one statement in the same Postgres, in turn. Aim: at
 * most 1.2 times the statement's time, as the median of the rounds' ratios, because the load of the machine
 * varies by round.
 *
 * @throws Error when any sum differs by a micro-unit from the statement's, or from the stored one
 */
export async function measureRecompute({ client }: EngineDatabase, title: string): Promise<void> {
  await client.query("analyze");
  await prepareSums(client);
  const times = { recomputed: [] as number[], sql: [] as number[] };
  let counted = { traders: 0, entries: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const foldedAt = performance.now();
    const { traders, entries, differences } = await recompute(client, {
      verify: true,
      onDifference: (one) => console.error(one),
    });
    times.recomputed.push(performance.now() - foldedAt);
    if (differences > 0) throw new Error(`${differences} stored figures differ from a full recompute`);
    counted = { traders, entries };
    const sqlAt = performance.now();
    const sums = await selectSums(client);
    times.sql.push(performance.now() - sqlAt);
    await compareSums(client, sums);
  }
  const [recomputed, sql] = [median(times.recomputed), median(times.sql)];
  const ratios = times.recomputed.map((ms, round) => ms / (times.sql[round] ?? Number.NaN));
  console.log(
    `recompute, ${title}: ${counted.entries} fills of ${counted.traders} traders in ${(recomputed / 1000).toFixed(2)} s, one SQL statement ` +
      `${(sql / 1000).toFixed(2)} s: ${median(ratios).toFixed(2)} times, round by round ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")} (aim: at most ` +
      `1.2); equal to the micro-unit`,
  );
}

/** The recompute was compared with the stored sums, so the statement is compared with the stored sums too. */
async function compareSums(client: EngineDatabase["client"], sums: readonly TraderSums[]): Promise<void> {
  const { rows } = await client.query<TraderSums>(
    `select trader_id, realized_micro::text as realized, settled_micro::text as settled, volume_micro::text as volume, fees_micro::text as fees
     from trader_totals order by trader_id`,
  );
  const bySql = new Map(sums.map((one) => [one.trader_id, one]));
  const names = ["realized", "settled", "volume", "fees"] as const;
  for (const stored of rows) {
    const own = bySql.get(stored.trader_id);
    bySql.delete(stored.trader_id);
    for (const name of names) {
      if ((own?.[name] ?? "0") !== stored[name]) {
        throw new Error(
          `${name} of trader ${stored.trader_id}: ${stored[name]} is stored, ${own?.[name] ?? "nothing"} in SQL`,
        );
      }
    }
  }
  if (bySql.size > 0) throw new Error(`${bySql.size} traders have entries and no stored sums`);
}
