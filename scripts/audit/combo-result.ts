/** A leg of a combo as its raw rows state it. */
export interface AuditLeg {
  /** 0 YES, 1 NO of the leg's market. */
  readonly outcome: number;
  /** Whether the leg's market is known. */
  readonly known: boolean;
  /** Of the leg's market, by outcome index in millionths; null while it is unresolved. */
  readonly payouts: readonly number[] | null;
  /** The UTC day on which the leg's market counts. */
  readonly day: string | null;
}

export interface AuditComboResult {
  readonly payoutsPpm: readonly number[] | null;
  readonly settledOn: string | null;
}

/** Whether the results of a combo can be booked: all its legs and their markets are known. */
export const isWholeCombo = (legs: readonly AuditLeg[], legCount: number | null): boolean =>
  legCount !== null && legCount > 0 && legs.length === legCount && legs.every(({ known }) => known);

/**
 * The result of a combo from the results of its legs, as fractions of millionths: YES pays their product, cut off
 * at the millionth, and NO the rest. A leg that pays nothing decides on its day; otherwise the last leg does.
 */
export function auditComboResult(legs: readonly AuditLeg[]): AuditComboResult {
  const paid = legs.map(({ payouts, outcome, day }) => ({ ppm: payouts?.[outcome] ?? null, day: day ?? "" }));
  const lost = paid.filter(({ ppm }) => ppm === 0).map(({ day }) => day);
  if (lost.length > 0) return { payoutsPpm: [0, 1_000_000], settledOn: lost.toSorted()[0] ?? null };
  if (paid.some(({ ppm }) => ppm === null)) return { payoutsPpm: null, settledOn: null };
  const numerator = paid.reduce((product, { ppm }) => product * BigInt(ppm ?? 0), 1_000_000n);
  const yes = Number(numerator / 1_000_000n ** BigInt(paid.length));
  return {
    payoutsPpm: [yes, 1_000_000 - yes],
    settledOn:
      paid
        .map(({ day }) => day)
        .toSorted()
        .at(-1) ?? null,
  };
}
