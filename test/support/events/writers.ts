import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "@neondatabase/serverless";
import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import { inTransaction } from "../../../src/db/client.ts";
import { publish } from "../../../src/ingest/outbox.ts";

/** Numbers of one writer's events lie between multiples of this, ascending in the order in which it wrote them. */
const NUMBERS = 1_000_000;

/** Which writer wrote an event, by its number. */
export const writerOf = (number: number): number => Math.floor(number / NUMBERS);

export interface Fire {
  readonly writers: number;
  /** Where the numbers of the writers begin; 0 when left out. */
  readonly firstWriter?: number;
  /** No transaction is begun after so many events have been committed. */
  readonly events: number;
  readonly seed: number;
}

class TakenBack extends Error {}

/**
 * Writers that publish at the same time, in transactions of a few events with pauses before, between and behind them, of which some are rolled
 * back.
 *
 * @returns the numbers of the events that were committed
 */
export async function writeUnderFire(pool: Pool, { writers, firstWriter = 0, events, seed }: Fire): Promise<ReadonlySet<number>> {
  const committed = new Set<number>();
  const write = async (writer: number) => {
    const random = createRandom(seed, `writer ${writer}`);
    // Numbers are greater than 0, as counts have to be.
    let next = writer * NUMBERS + 1;
    const some = () => Array.from({ length: random.integer(1, 12) }, () => next++);
    while (committed.size < events) {
      const written: number[] = [];
      const add = async (session: Parameters<typeof publish>[0]) => {
        const numbers = some();
        await publish(
          session,
          numbers.map((count) => ({ type: "large_positions_updated", payload: { count } })),
        );
        written.push(...numbers);
      };
      await inTransaction(pool, async (session) => {
        if (random.chance(0.5)) await sleep(random.integer(0, 20));
        await add(session);
        if (random.chance(0.5)) await sleep(random.integer(0, 40));
        if (random.chance(0.3)) await add(session);
        if (random.chance(0.15)) throw new TakenBack();
      }).then(
        () => written.forEach((number) => committed.add(number)),
        (error: unknown) => {
          if (!(error instanceof TakenBack)) throw error;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => write(firstWriter + index)));
  return committed;
}
