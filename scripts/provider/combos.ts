import type { ActivityRecord, Market, Profile } from "./provider-world.ts";

/** A combination of markets: a conjunction of outcomes of different markets, in ascending order of positions. */
export interface Combo {
  readonly conditionId: string;
  readonly title: string;
  readonly legs: readonly ComboLeg[];
}

export interface ComboLeg {
  readonly market: Market;
  readonly outcomeIndex: 0 | 1;
}

/** One row of `/v2/activity/combos`. */
export interface ComboEventRecord {
  readonly type: "SPLIT" | "MERGE" | "COMPRESS" | "REDEEM";
  readonly wallet: Profile;
  readonly combo: Combo;
  /** COMPRESS: the combo that the shares continue in. */
  readonly into: Combo | null;
  readonly outcomeIndex: 0 | 1;
  /** Dollars of a split or merge, shares of a compress; null for a redemption. */
  readonly amount: number | null;
  /** Of a redemption. */
  readonly payout: number | null;
  readonly blockNumber: number;
  readonly logIndex: number;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly transactionHash: string;
}

/** The condition id of a market in the second protocol: its module, 16 bytes of its own id, and zeros. */
export const secondProtocolId = (market: Market): string => `0x01${market.conditionId.slice(2, 34)}${"0".repeat(28)}`;

/** The position ids of a generated market by outcome index, which it has beside its tokens. */
export const positionIdsOf = (market: Market): readonly string[] =>
  market.outcomes.map((_, outcome) => positionId(secondProtocolId(market), outcome));

export const positionId = (conditionId: string, outcome: number): string =>
  BigInt(`${conditionId}${outcome.toString(16).padStart(2, "0")}`).toString();

/** What a leg pays, millionths; null while it is unresolved at the moment in epoch milliseconds. */
export function legPayoutAt({ market, outcomeIndex }: ComboLeg, ms: number): number | null {
  const { resolution } = market;
  return resolution === null || resolution.atMs > ms ? null : (resolution.payoutsPpm[outcomeIndex] ?? 0);
}

/** What a share of an outcome pays, 0 to 1; null while the combo is undecided at the moment. */
export function comboPayoutAt({ legs }: Combo, outcomeIndex: number, ms: number): number | null {
  const paid = legs.map((leg) => legPayoutAt(leg, ms));
  if (paid.includes(0)) return outcomeIndex;
  if (paid.includes(null)) return null;
  const yes = paid.reduce<number>((product, ppm) => (product * (ppm ?? 0)) / 1e6, 1);
  return outcomeIndex === 0 ? yes : 1 - yes;
}

/** A wallet's shares in one outcome of a combo. */
export interface ComboPosition {
  readonly combo: Combo;
  readonly outcomeIndex: 0 | 1;
  size: number;
  cost: number;
  fees: number;
  payout: number;
  firstEntryAt: number;
  updatedAt: number;
}

/** Folds a wallet's trades in combos and its combo events, each in block order, into positions. */
export function foldComboPositions(
  trades: readonly ActivityRecord[],
  events: readonly ComboEventRecord[],
): readonly ComboPosition[] {
  const positions = new Map<string, ComboPosition>();
  const at = (combo: Combo, outcomeIndex: 0 | 1, timestamp: number) => {
    const key = `${combo.conditionId}:${outcomeIndex}`;
    const known = positions.get(key);
    const position = known ?? {
      ...{ combo, outcomeIndex, size: 0, cost: 0, fees: 0, payout: 0 },
      ...{ firstEntryAt: timestamp, updatedAt: timestamp },
    };
    position.updatedAt = timestamp;
    positions.set(key, position);
    return position;
  };
  const steps = [
    ...trades.map((trade) => ({ timestamp: trade.timestamp, run: () => applyTrade(trade, at) })),
    ...events.map((event) => ({ timestamp: event.timestamp, run: () => applyEvent(event, at) })),
  ].sort((a, b) => a.timestamp - b.timestamp);
  for (const step of steps) step.run();
  return [...positions.values()];
}

type At = (combo: Combo, outcomeIndex: 0 | 1, timestamp: number) => ComboPosition;

function applyTrade({ combo, outcomeIndex, timestamp, side, size, price, usdcSize }: ActivityRecord, at: At): void {
  if (combo === null) return;
  const position = at(combo, outcomeIndex === 0 ? 0 : 1, timestamp);
  if (side === "SELL") return remove(position, size);
  position.size = round(position.size + size);
  position.cost = round(position.cost + size * price);
  position.fees = round(position.fees + usdcSize - size * price);
}

function applyEvent({ type, combo, into, outcomeIndex, amount, payout, timestamp }: ComboEventRecord, at: At): void {
  const own = at(combo, outcomeIndex, timestamp);
  switch (type) {
    case "REDEEM":
      own.payout = round(own.payout + (payout ?? 0));
      return remove(own, own.size);
    case "COMPRESS": {
      if (into === null) return;
      const target = at(into, outcomeIndex, timestamp);
      const cost = own.size === 0 ? 0 : (own.cost * (amount ?? 0)) / own.size;
      target.size = round(target.size + (amount ?? 0));
      target.cost = round(target.cost + cost);
      return remove(own, amount ?? 0);
    }
    default: {
      for (const outcome of [0, 1] as const) {
        const side = at(combo, outcome, timestamp);
        if (type === "MERGE") remove(side, amount ?? 0);
        else {
          side.size = round(side.size + (amount ?? 0));
          side.cost = round(side.cost + (amount ?? 0) / 2);
        }
      }
    }
  }
}

function remove(position: ComboPosition, size: number): void {
  const left = Math.max(0, position.size - size);
  position.cost = position.size === 0 ? 0 : round((position.cost * left) / position.size);
  position.size = round(left);
}

const round = (value: number) => Math.round(value * 1e6) / 1e6;
