import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "@neondatabase/serverless";
import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import { inTransaction } from "../../../src/db/client.ts";
import { publishEvents } from "../../../src/events/outbox/publish-events.ts";

/** The event numbers of one writer start at a multiple of this and ascend in the order of writing. */
const NUMBERS = 1_000_000;

/** The writer of an event, by the event's number. */
export const writerOf = (number: number): number => Math.floor(number / NUMBERS);

export interface WriterSettings {
  readonly writers: number;
  /** Number of the first writer; 0 when left out. */
  readonly firstWriter?: number;
  /** No transaction begins after this many events have been committed. */
  readonly events: number;
  readonly seed: number;
}

class RolledBack extends Error {}

/**
 * Runs writers that publish at the same time, in transactions of a few events with pauses before, between and
 * after them. Some transactions are rolled back.
 *
 * @returns the numbers of the events that were committed
 */
export async function writeConcurrently(
  pool: Pool,
  { writers, firstWriter = 0, events, seed }: WriterSettings,
): Promise<ReadonlySet<number>> {
  const committed = new Set<number>();
  const write = async (writer: number) => {
    const random = createRandom(seed, `writer ${writer}`);
    // Numbers are greater than 0, because counts have to be.
    let next = writer * NUMBERS + 1;
    const some = () => Array.from({ length: random.integer(1, 12) }, () => next++);
    while (committed.size < events) {
      const written: number[] = [];
      const add = async (session: Parameters<typeof publishEvents>[0]) => {
        const numbers = some();
        await publishEvents(
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
        if (random.chance(0.15)) throw new RolledBack();
      }).then(
        () => written.forEach((number) => committed.add(number)),
        (error: unknown) => {
          if (!(error instanceof RolledBack)) throw error;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => write(firstWriter + index)));
  return committed;
}
