import { createHash } from "node:crypto";

/** Generated addresses, conditions, tokens and transactions begin with these hexadecimal digits. */
export const SIMULATED_MARK = "5eed";

/**
 * Every id of an event contains the event's number, so an event that is not loaded yet can be found from its
 * ids.
 */
export interface SimulatedIds {
  address(wallet: number): string;
  condition(event: number, market: number): string;
  token(event: number, market: number, outcome: number): string;
  transaction(event: number, ordinal: number): string;
  combo(event: number, ordinal: number): string;
  /** Null for ids of another seed. */
  eventOfCondition(conditionId: string): number | null;
  eventOfToken(tokenId: string): number | null;
}

const EVENT_DIGITS = 12;

export function createSimulatedIds(seed: number): SimulatedIds {
  const digest = (...parts: readonly (string | number)[]) =>
    createHash("sha256")
      .update([seed, ...parts].join("/"))
      .digest("hex");
  const start = SIMULATED_MARK + digest("seed").slice(0, 8);
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  const filled = (head: string, ...parts: readonly (string | number)[]) =>
    head + digest(head, ...parts).slice(head.length);
  const prefixOf = (event: number, market: number) => start + hex(event, EVENT_DIGITS) + hex(market, 2);
  const eventOf = (digits: string) =>
    digits.length === 64 && digits.startsWith(start)
      ? Number.parseInt(digits.slice(start.length, start.length + EVENT_DIGITS), 16)
      : null;
  return {
    address: (wallet) => `0x${SIMULATED_MARK}${digest("wallet", wallet).slice(0, 40 - SIMULATED_MARK.length)}`,
    condition: (event, market) => `0x${filled(prefixOf(event, market), "condition")}`,
    token: (event, market, outcome) =>
      BigInt(`0x${filled(prefixOf(event, market) + hex(outcome, 2), "token")}`).toString(),
    transaction: (event, ordinal) => `0x${filled(SIMULATED_MARK, "transaction", event, ordinal)}`,
    combo: (event, ordinal) => `0x03${filled(SIMULATED_MARK, "combo", event, ordinal).slice(0, 60)}`,
    eventOfCondition: (conditionId) => eventOf(conditionId.slice(2)),
    eventOfToken: (tokenId) => (/^\d{1,78}$/.test(tokenId) ? eventOf(BigInt(tokenId).toString(16)) : null),
  };
}
