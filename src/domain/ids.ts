/** Prefixed public ids: `trd_12`, `mkt_7`, `wt_81`, `rf_3`, `pe_901`, `wl_5`. The number is the row id. */
const PREFIXES = {
  trader: "trd",
  market: "mkt",
  largeTrade: "wt",
  radarFlag: "rf",
  positionEvent: "pe",
  watchlist: "wl",
} as const;

export type IdKind = keyof typeof PREFIXES;

export function formatId(kind: IdKind, id: number): string {
  return `${PREFIXES[kind]}_${id}`;
}

/** The id of a trader's position in one outcome; address and condition id in the stored form. */
export const formatPositionId = (address: string, conditionId: string, outcomeIndex: number): string =>
  `pos_${address}:${conditionId}:${outcomeIndex}`;

/** The row id of a prefixed id of this kind, or null for any other text. A bare integer is not accepted. */
export function parseId(kind: IdKind, text: string): number | null {
  const match = /^([a-z]+)_([1-9][0-9]{0,14})$/.exec(text);
  return match?.[1] === PREFIXES[kind] ? Number(match[2]) : null;
}

/** Whether the text starts with the prefix of any kind of id, well formed or not. */
export function hasIdPrefix(text: string): boolean {
  return /^(trd|mkt|wt|rf)_/.test(text);
}

const WALLET_ADDRESS = /^0x[0-9a-f]{40}$/;

/** The wallet address in lower case, or null. The provider's sockets send it in checksum case. */
export function parseWallet(text: string): string | null {
  const lower = text.toLowerCase();
  return WALLET_ADDRESS.test(lower) ? lower : null;
}

/**
 * A condition id in the stored form: lower-case `0x` with 64 hex digits, or 62 for the provider's second
 * protocol, whose ids some frames pad on the right with a zero byte. Null for any other text.
 */
export function parseConditionId(text: string): string | null {
  const lower = text.toLowerCase();
  if (/^0x[0-9a-f]{62}$/.test(lower)) return lower;
  if (!/^0x[0-9a-f]{64}$/.test(lower)) return null;
  return isPaddedSecondProtocolId(lower) ? lower.slice(0, 64) : lower;
}

/** Whether a stored condition id identifies a combination of markets, which has no market object. */
export const isCombination = (conditionId: string): boolean =>
  conditionId.length === 64 && conditionId.startsWith("0x03");

// Second-protocol ids start with a module byte 01, 02 or 03 followed by a hash. A first-protocol id has that
// start and a zero last byte by chance in 3 of 65,536 cases, so padding is detected by the reserved zero
// bytes that the protocol puts before the tail.
function isPaddedSecondProtocolId(lower: string): boolean {
  return /^0x0[123]/.test(lower) && lower.endsWith("00") && /^0x0[123][0-9a-f]{32}[0-9a-f]{4}0{16}/.test(lower);
}
