import { foundKey } from "../auth/credential-record.ts";
import { generationKey, type GenerationName } from "../domain/generations.ts";
import type { Cache } from "../ports/cache.ts";
import { packAnswer, unpackAnswer, type Answer } from "./answer.ts";
import type { AnswerMemory, Held, Keeping } from "./answer-memory.ts";

/** Where the answer to a question is kept for everybody who asks it, and what it rests on. */
export interface AnswerPlace extends Keeping {
  readonly key: string;
  readonly restsOn: readonly GenerationName[];
}

export interface Hot {
  /** The credential's record as Redis has it; null when it has none or is away. */
  readonly credential: string | null;
  /** Whether the credential's key was found in Postgres before, which outlives the record. */
  readonly wasFound: boolean;
  readonly answer: Answer | null;
  /**
   * The generations that stand, as one text; null when they are not known, Redis being away. Told before a handler runs, so that what it
   * finds is of these generations or of later ones: an answer kept under them may be called too old, and never too new.
   */
  readonly generation: string | null;
}

/**
 * The credential, the generations and the answer, in one round trip for what this isolate does not have. Credentials are always asked for,
 * so that a revoked one stops at once, and generations, so that what they replace does. A cache that is away holds nothing: then time alone
 * says how long the isolate's own answers serve.
 */
export async function readHot(
  cache: Cache,
  answers: AnswerMemory,
  keys: { readonly credential: string | null; readonly answer: AnswerPlace | null },
  now: number,
): Promise<Hot> {
  const { credential, answer: place } = keys;
  const remembered = place === null ? null : answers.get(place.key, now);
  const names = (place?.restsOn ?? []).map(generationKey);
  const found = credential === null ? null : foundKey(credential);
  const wanted = [credential, found, ...names, remembered === null && place !== null ? place.key : null].filter((key) => key !== null);
  const values = wanted.length === 0 ? [] : await cache.getMany(wanted).catch(() => null);
  const valueOf = (key: string | null) => (key === null ? null : (values?.[wanted.indexOf(key)] ?? null));
  const generation = values === null && names.length > 0 ? null : JSON.stringify(names.map(valueOf));
  const none = { credential: valueOf(credential), wasFound: valueOf(found) !== null, answer: null, generation };
  if (place === null) return none;
  const held = remembered ?? unpackHeld(valueOf(place.key) ?? "", place, now);
  if (held === null || !isOf(generation, held)) return none;
  if (remembered === null) answers.keep(place.key, held, place);
  return { ...none, answer: held.answer };
}

/** Whether an answer may stand for the generations that do; where these are not known, time alone decides. */
export const isOf = (generation: string | null, held: Held): boolean => generation === null || held.generation === generation;

// JSON has no raw line break, so a line can hold the generations.
export const packHeld = ({ answer, generation }: Held): string => `${generation}\n${packAnswer(answer)}`;

/** @returns null when there is no such answer, or its time is up: Redis counts its seconds from later than when its making began */
function unpackHeld(packed: string, { seconds }: Keeping, now: number): Held | null {
  const end = packed.indexOf("\n");
  const answer = unpackAnswer(packed.slice(end + 1));
  if (end === -1 || answer === null || now >= answer.storedAtMs + seconds * 1000) return null;
  return { answer, generation: packed.slice(0, end) };
}
