/** The parts of a position id of the provider's second protocol. */
export interface DecodedPosition {
  /** 1 binary, 2 neg-risk, 3 combination of markets. */
  readonly moduleId: number;
  /** `0x` and 62 hex digits: the position id without its last byte. */
  readonly conditionId: string;
  /** 0 YES, 1 NO; any other byte names a further outcome. */
  readonly outcomeIndex: number;
}

const COMBO_MODULE = 3;
const MODULES: ReadonlySet<number> = new Set([1, 2, COMBO_MODULE]);

/**
 * Decodes a position id: module 8 bits, base hash 128, arity 16, reserved 64, resolution chain 16, condition
 * index 16, outcome 8.
 *
 * @param positionId a uint256 as a decimal string
 * @returns null for a number that is not of one of the three modules
 */
export function decodePositionId(positionId: string): DecodedPosition | null {
  if (!/^\d{1,78}$/.test(positionId)) return null;
  const hex = BigInt(positionId).toString(16).padStart(64, "0");
  if (hex.length > 64) return null;
  const moduleId = Number.parseInt(hex.slice(0, 2), 16);
  if (!MODULES.has(moduleId)) return null;
  return { moduleId, conditionId: `0x${hex.slice(0, 62)}`, outcomeIndex: Number.parseInt(hex.slice(62), 16) };
}

/** The position id of an outcome of a condition of the second protocol, as a decimal string. */
export const encodePositionId = (conditionId: string, outcomeIndex: 0 | 1): string =>
  BigInt(`${conditionId}0${outcomeIndex}`).toString();

/** Whether the position is a YES or a NO of a combo. */
export const isComboPosition = ({ moduleId, outcomeIndex }: DecodedPosition): boolean =>
  moduleId === COMBO_MODULE && outcomeIndex <= 1;
