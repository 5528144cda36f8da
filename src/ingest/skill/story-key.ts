import { sha256, toHex } from "../../lib/crypto/hmac.ts";
import { storyOf } from "../../domain/markets/story.ts";

/** As many hex digits as an exact number in JavaScript has room for. */
const KEY_DIGITS = 13;

/**
 * The number of an event's story, from 1: the first 52 bits of its hash. A text per bet would take more room than the rest
 * of the bet. Two stories of a million share a number with a probability of 0.0001.
 *
 * @returns 0 where the event has none
 */
export async function storyKeyOf(seriesSlug: string | null, at: Date | null): Promise<number> {
  const story = storyOf(seriesSlug, at);
  if (story === null) return 0;
  return Math.max(1, Number.parseInt(toHex(await sha256(story)).slice(0, KEY_DIGITS), 16));
}
