import { parseConditionId } from "../../../../domain/ids.ts";

/**
 * Whether this is a second-protocol condition id: 31 bytes, of which the first names the module (1 binary, 2
 * neg-risk, 3 combination of markets).
 */
export function isSecondProtocol(conditionId: string): boolean {
  return conditionId.length === 64;
}

/**
 * The outcome index in a second-protocol token id, which is the condition's 31 bytes followed by one byte for
 * the outcome (0 Yes, 1 No).
 *
 * @returns null when the token does not belong to that condition
 */
export function outcomeIndexOfPosition(tokenId: string, conditionId: string): number | null {
  if (!isSecondProtocol(conditionId)) return null;
  const hex = BigInt(tokenId).toString(16).padStart(64, "0");
  return parseConditionId(`0x${hex.slice(0, 62)}`) === conditionId ? Number.parseInt(hex.slice(62), 16) : null;
}

/** The same id padded with a zero byte to 32 bytes, as some of the provider's frames write it. */
export function paddedConditionId(conditionId: string): string {
  return isSecondProtocol(conditionId) ? `${conditionId}00` : conditionId;
}
