import type { Answer } from "./answer.ts";
import { AnswersInMaking } from "./answers-in-making.ts";

/** How long an answer whose time is up still serves the others while one request makes the next one. */
const REFRESH_MS = 2_000;

/** An answer, and which generations stood when its making began: null while that was not known. */
export interface Held {
  readonly answer: Answer;
  readonly generation: string | null;
}

export interface Keeping {
  /** For how long after it was made. */
  readonly seconds: number;
  /** Whether it serves a moment longer while the next one is made. */
  readonly whileRefreshed: boolean;
}

interface Kept extends Held {
  readonly until: number;
  /** When it is not served any more, whoever makes the next one. */
  readonly gone: number;
  /** Whether a request has gone to make the next one. */
  refreshing: boolean;
}

/**
 * The answers this isolate gave last, so that a warm read fetches no body. Where an operation allows it, an answer whose time is up serves a
 * moment longer: one request makes the next while the others get the old one. The least recently used make room.
 */
export class AnswerMemory {
  readonly inMaking = new AnswersInMaking();
  readonly #kept = new Map<string, Kept>();
  readonly #maxCharacters: number;
  #characters = 0;

  /** @param maxCharacters of bodies, together; each is one or two bytes. 0 keeps nothing */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** @returns null when time leaves none to serve: the caller makes the next one */
  get(key: string, now: number): Held | null {
    const kept = this.#kept.get(key);
    if (kept === undefined || now >= kept.gone) return null;
    if (now >= kept.until && !kept.refreshing) {
      kept.refreshing = true;
      return null;
    }
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  /** An answer whose time is not up. Looking changes nothing. */
  findFresh(key: string, now: number): Held | null {
    const kept = this.#kept.get(key);
    return kept === undefined || now >= kept.until ? null : kept;
  }

  keep(key: string, { answer, generation }: Held, { seconds, whileRefreshed }: Keeping): void {
    this.#drop(key);
    const until = answer.storedAtMs + seconds * 1000;
    this.#kept.set(key, { answer, generation, until, gone: until + (whileRefreshed ? REFRESH_MS : 0), refreshing: false });
    this.#characters += answer.head.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#maxCharacters) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#characters -= kept.answer.head.length;
  }
}
