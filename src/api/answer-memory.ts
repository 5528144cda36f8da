import type { Answer } from "./answer.ts";

interface Kept {
  readonly answer: Answer;
  readonly until: number;
}

/** The answers this isolate gave last, so that a warm read fetches no body. The least recently used make room. */
export class AnswerMemory {
  readonly #kept = new Map<string, Kept>();
  readonly #maxCharacters: number;
  #characters = 0;

  /** @param maxCharacters of bodies, together; each is one or two bytes. 0 keeps nothing */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** @returns null when there is none that still holds */
  get(key: string, now: number): Answer | null {
    const kept = this.#kept.get(key);
    return kept === undefined || kept.until <= now ? null : kept.answer;
  }

  /** Keeps an answer until `seconds` after it was made. */
  keep(key: string, answer: Answer, seconds: number): void {
    this.#drop(key);
    this.#kept.set(key, { answer, until: answer.storedAtMs + seconds * 1000 });
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
