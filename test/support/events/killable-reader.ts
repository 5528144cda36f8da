import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import type { Database } from "../../../src/db/client.ts";
import { readOutbox, type OutboxPosition, type StoredEvent } from "../../../src/events/outbox/outbox-reader.ts";

/** The number in the payload of a writer's event. */
export const numberOf = (event: StoredEvent): number => Number(event.payload["count"]);

/**
 * A reader that stores its position and the events of a page in one step. Its process can be killed: a killed
 * run stops at its next await.
 */
export class KillableReader {
  readonly received: StoredEvent[] = [];
  position: OutboxPosition;
  kills = 0;
  /** Number of pages that reported a gap before the position's next event. */
  gaps = 0;
  readonly #db: Database;
  readonly #random: ReturnType<typeof createRandom>;
  #life = { isOver: true };

  constructor(db: Database, place: OutboxPosition, seed: string) {
    this.#db = db;
    this.position = place;
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
      const { events, isContiguous } = await readOutbox(this.#db, this.position, this.#random.integer(1, 400));
      if (life.isOver) return;
      // Processing a page takes time, during which the process may be killed.
      await sleep(this.#random.integer(0, 3));
      if (life.isOver) return;
      if (!isContiguous) this.gaps += 1;
      const last = events.at(-1);
      if (last !== undefined) {
        this.received.push(...events);
        this.position = { epoch: this.position.epoch, commitXid: last.commit_xid, id: last.id };
      } else await sleep(5);
    }
  }
}
