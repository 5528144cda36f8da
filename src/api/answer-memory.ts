import type { Answer } from "./answer.ts";

/** How long an answer whose time is up still serves the others while one request makes the next one. */
const REFRESH_MS = 2_000;

interface Kept {
  readonly answer: Answer;
  readonly until: number;
  /** Whether a request has gone to make the next one. */
  refreshing: boolean;
}

/**
 * The answers this isolate gave last, so that a warm read fetches no body. When an answer's time is up, one request makes the next while
 * the others get the old one a moment longer: many at once do not all ask the database. The least recently used make room.
 */
export class AnswerMemory {
  readonly #kept = new Map<string, Kept>();
  readonly #maxCharacters: number;
  #characters = 0;

  /** @param maxCharacters of bodies, together; each is one or two bytes. 0 keeps nothing */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** @returns null when there is none to serve: the caller makes the next one */
  get(key: string, now: number): Answer | null {
    const kept = this.#kept.get(key);
    if (kept === undefined || now >= kept.until + REFRESH_MS) return null;
    if (now >= kept.until && !kept.refreshing) {
      kept.refreshing = true;
      return null;
    }
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.answer;
  }

  /** Keeps an answer until `seconds` after it was made. */
  keep(key: string, answer: Answer, seconds: number): void {
    this.#drop(key);
    this.#kept.set(key, { answer, until: answer.storedAtMs + seconds * 1000, refreshing: false });
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
