/** Sums of a wallet over its positions, in micro-dollars. */
export interface RealizedParts {
  /** What sales and merges realized, fees excluded. */
  readonly realizedMicro: bigint;
  /** Payouts of shares held to resolution, less their cost. */
  readonly settledMicro: bigint;
  /** Known fees paid. */
  readonly feesMicro: bigint;
  /** Maker and taker rebates received. */
  readonly rebatesMicro: bigint;
}

/** Realized profit of a wallet with its fees and rebates, in micro-dollars. */
export function realizedPnl({ realizedMicro, settledMicro, feesMicro, rebatesMicro }: RealizedParts): bigint {
  return realizedMicro + settledMicro - feesMicro + rebatesMicro;
}
