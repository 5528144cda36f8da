import type { Cache } from "../ports/cache.ts";
import { unpackAnswer, type Answer } from "./answer.ts";
import type { AnswerMemory } from "./answer-memory.ts";

export interface Hot {
  /** The credential's record as Redis has it; null when it has none or is away. */
  readonly credential: string | null;
  readonly answer: Answer | null;
}

/**
 * The credential and the answer, in one round trip for what this isolate does not have. Credentials are always asked for, so that a
 * revoked one stops at once. A cache that is away holds nothing.
 */
export async function readHot(
  cache: Cache,
  answers: AnswerMemory,
  keys: { credential: string | null; answer: string | null; cacheSeconds: number },
  now: Date,
): Promise<Hot> {
  const remembered = keys.answer === null ? null : answers.get(keys.answer, now.getTime());
  const wanted = [keys.credential, remembered === null ? keys.answer : null].filter((key) => key !== null);
  const values = wanted.length === 0 ? [] : await cache.getMany(wanted).catch(() => []);
  const valueOf = (key: string | null) => (key === null ? null : (values[wanted.indexOf(key)] ?? null));
  const packed = remembered === null ? valueOf(keys.answer) : null;
  const fetched = packed === null ? null : unpackAnswer(packed);
  if (fetched !== null && keys.answer !== null) answers.keep(keys.answer, fetched, keys.cacheSeconds);
  return { credential: valueOf(keys.credential), answer: remembered ?? fetched };
}
