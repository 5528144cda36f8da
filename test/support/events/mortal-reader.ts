import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import type { Database } from "../../../src/db/client.ts";
import { readOutbox, type OutboxPosition, type StoredEvent } from "../../../src/db/outbox.ts";

/** The number in an event of the writers. */
export const numberOf = (event: StoredEvent): number => Number(event.payload["count"]);

/**
 * A reader that keeps its place and what it was told in one step when a page is done, and whose process can be killed: a dead one does not go
 * on behind whatever it waits for.
 */
export class MortalReader {
  readonly told: StoredEvent[] = [];
  place: OutboxPosition;
  kills = 0;
  /** Times that the outbox said that something before the place's next event is gone. */
  gaps = 0;
  readonly #db: Database;
  readonly #random: ReturnType<typeof createRandom>;
  #life = { isOver: true };

  constructor(db: Database, place: OutboxPosition, seed: string) {
    this.#db = db;
    this.place = place;
    this.#random = createRandom(1, seed);
  }

  /** Kills its process, if it has one, and starts another. */
  restart(): void {
    this.stop();
    const life = { isOver: false };
    this.#life = life;
    void this.#run(life);
  }

  stop(): void {
    if (!this.#life.isOver) this.kills += 1;
    this.#life.isOver = true;
  }

  async #run(life: { readonly isOver: boolean }): Promise<void> {
    while (!life.isOver) {
      const { events, isWhole } = await readOutbox(this.#db, this.place, this.#random.integer(1, 400));
      if (life.isOver) return;
      // Whatever it does with a page takes a while, in which it may die.
      await sleep(this.#random.integer(0, 3));
      if (life.isOver) return;
      if (!isWhole) this.gaps += 1;
      const last = events.at(-1);
      if (last !== undefined) {
        this.told.push(...events);
        this.place = { epoch: this.place.epoch, commitXid: last.commit_xid, id: last.id };
      } else await sleep(5);
    }
  }
}
