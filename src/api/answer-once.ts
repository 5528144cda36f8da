import type { Answer } from "./answer.ts";
import type { AnswerMemory } from "./answer-memory.ts";
import { isOf, type AnswerPlace } from "./hot-read.ts";

/** After how long a waiting request first looks whether the answer is there; from then on after twice as long each time, up to the longest. */
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 40;
/** A request that has waited for so long makes the answer itself. */
const LONGEST_WAIT_MS = 3_000;

export interface OneAnswer {
  readonly answers: AnswerMemory;
  readonly place: AnswerPlace;
  /** As `Hot` has them. */
  readonly generation: string | null;
  /** When the request came, Unix milliseconds. */
  readonly now: number;
  readonly wait: (ms: number) => Promise<void>;
  /** Makes the answer and keeps it in the memory. */
  readonly make: () => Promise<Answer>;
}

/**
 * Makes an answer once for the requests of this isolate that ask for it at the same time: the first makes it, the others get what it put
 * into the memory. They look there from time to time and do not await its promise, because what one request awaits of another never comes
 * when that one's client has gone. If the first fails, its error is its own and each of the others tries for itself.
 *
 * @returns the answer, and how long the request waited when another one made it; null when it made the answer itself
 */
export async function answerOnce(work: OneAnswer): Promise<{ readonly answer: Answer; readonly waitedMs: number | null }> {
  const { answers, place, generation, now, wait, make } = work;
  // Perhaps another one has ended while this one was on its way here.
  const made = answers.findFresh(place.key, now);
  if (made !== null && isOf(generation, made)) return { answer: made.answer, waitedMs: 0 };
  // Who knows of a later generation does not wait for an answer of an earlier one.
  const key = `${generation} ${place.key}`;
  let { making, isMine } = answers.inMaking.join(key, now);
  let waitedMs = 0;
  for (let lookMs = FIRST_LOOK_MS; !isMine && waitedMs < LONGEST_WAIT_MS; lookMs = Math.min(2 * lookMs, LONGEST_LOOK_MS)) {
    await wait(lookMs);
    waitedMs += lookMs;
    const held = answers.get(place.key, now + waitedMs);
    if (held !== null && isOf(generation, held)) return { answer: held.answer, waitedMs };
    if (making.ended) break;
    ({ making, isMine } = answers.inMaking.join(key, now + waitedMs));
  }
  try {
    return { answer: await make(), waitedMs: null };
  } finally {
    if (isMine) answers.inMaking.end(making);
  }
}
