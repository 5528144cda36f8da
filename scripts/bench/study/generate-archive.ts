import { join } from "node:path";
import { literal, openDuckDb } from "../../load/files/duckdb.ts";

export interface ArchiveSize {
  readonly fills: number;
  readonly traders: number;
  readonly markets: number;
}

const FILLS_A_FILE = 2_000_000;
const YEAR_SECONDS = 365 * 86_400;
const START_SECONDS = 1_735_689_600;

/**
 * Writes Parquet files of generated fills and results, as docs/study-data.md describes them. Markets last one to nine days within
 * a year, and each outcome wins with the probability at its price, so that no trader has skill. A few traders have most
 * fills: the trader of a fill grows with the cube of a uniform number.
 */
export async function generateArchive(directory: string, { fills, traders, markets }: ArchiveSize): Promise<void> {
  const db = await openDuckDb(directory);
  const write = (name: string, query: string) =>
    db.run(`copy (${query}) to ${literal(join(directory, `${name}.parquet`))} (format parquet)`);
  try {
    // 52 bits of a hash are a uniform number.
    await db.run(`create macro uniform(n, salt) as (hash(n * 16 + salt) >> 12) / 4503599627370496.0`);
    await db.run(
      `create table market as select i, '0x' || printf('%064x', i) as condition_id,
         ${START_SECONDS} + uniform(i, 1) * ${YEAR_SECONDS - 9 * 86_400} as opens,
         (1 + 8 * uniform(i, 2)) * 86400 as lasts, 0.05 + 0.9 * uniform(i, 3) as probability
       from range(${markets}) t(i)`,
    );
    await write(
      "results",
      `select condition_id, case when uniform(i, 4) < probability then '[1000000,0]' else '[0,1000000]' end as payouts_ppm,
         (opens + lasts)::bigint as resolved_at from market`,
    );
    for (let first = 0; first < fills; first += FILLS_A_FILE)
      await write(
        `fills-${first / FILLS_A_FILE}`,
        `select (opens + lasts * uniform(n, 5))::bigint as traded_at,
           '0x' || printf('%040x', floor(${traders} * pow(uniform(n, 6), 3))::bigint) as wallet, condition_id,
           outcome_index, case when uniform(n, 8) < 0.8 then 'BUY' else 'SELL' end as side,
           round(case when outcome_index = 0 then probability else 1 - probability end, 3) as price,
           round(10 + 990 * uniform(n, 9), 2) as shares
         from (select n, floor(${markets} * uniform(n, 10))::bigint as i, (uniform(n, 7) < 0.5)::int as outcome_index
           from range(${first}, ${Math.min(fills, first + FILLS_A_FILE)}) t(n)) fill join market using (i)`,
      );
  } finally {
    db.close();
  }
}
