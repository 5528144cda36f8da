import { InvalidRecord } from "../polymarket/payloads/parse-provider-records.ts";

/** The words of an event's data, which has whole words of 32 bytes. */
export const wordsOf = (data: string): bigint[] =>
  [...data.matchAll(/[0-9a-f]{64}/g)].map(([word]) => BigInt(`0x${word}`));

/**
 * An indexed address is padded on the left with zeros.
 *
 * @throws InvalidRecord for anything else
 */
export function addressOf(topic: string): string {
  if (!topic.startsWith(`0x${"0".repeat(24)}`)) throw new InvalidRecord("topics: expected an address");
  return `0x${topic.slice(26)}`;
}
