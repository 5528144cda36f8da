/** Sums over a trader's positions, in micro-dollars. */
export interface RealizedParts {
  /** Realized by sales and merges, without fees. */
  readonly realizedMicro: bigint;
  /** Payouts of shares held to resolution, minus their cost. */
  readonly settledMicro: bigint;
  /** Known fees paid. */
  readonly feesMicro: bigint;
  /** Maker and taker rebates received. */
  readonly rebatesMicro: bigint;
}

/** Realized profit of a trader, including fees and rebates, in micro-dollars. */
export function realizedPnl({ realizedMicro, settledMicro, feesMicro, rebatesMicro }: RealizedParts): bigint {
  return realizedMicro + settledMicro - feesMicro + rebatesMicro;
}
