import type { Market, ActivityRecord, ProviderActivityType, Profile } from "../provider-world.ts";
import type { ComboEventRecord } from "../combos.ts";
import type { SimulatedIds } from "./simulated-ids.ts";

/** The range of sequences for one event, below the next event's range. */
const SEQUENCES_PER_EVENT = 100_000;
const ENRICHMENT_SECONDS = 90;

export interface Fill {
  readonly wallet: Profile;
  readonly market: Market | null;
  readonly outcome: 0 | 1;
  readonly side: "BUY" | "SELL";
  readonly size: number;
  readonly price: number;
  readonly feeUsd: number;
  readonly role: "taker" | "maker";
}

/** Collects the activity of one event and assigns sequences and transactions. */
export class ActivityWriter {
  readonly movements: ActivityRecord[] = [];
  readonly comboEvents: ComboEventRecord[] = [];
  readonly #event: number;
  readonly #ids: SimulatedIds;
  #transactions = 0;

  constructor(event: number, ids: SimulatedIds) {
    this.#event = event;
    this.#ids = ids;
  }

  /**
   * One settlement: the makers' rows, then the taker's, in one transaction.
   *
   * @param lag whether the rows are enriched with a delay
   */
  addSettlement(timestamp: number, fills: readonly Fill[], lag: boolean, combo: ActivityRecord["combo"] = null): void {
    const transactionHash = this.#nextTransaction();
    for (const fill of fills) {
      const usd = fill.size * fill.price;
      this.#push({
        type: "TRADE",
        timestamp,
        wallet: fill.wallet,
        market: fill.market,
        outcomeIndex: fill.outcome,
        tokenId: fill.market?.tokenIds[fill.outcome] ?? comboToken(combo, fill.outcome),
        side: fill.side,
        size: fill.size,
        usdcSize: roundMicro(fill.side === "BUY" ? usd + fill.feeUsd : usd - fill.feeUsd),
        price: fill.price,
        transactionHash,
        role: fill.role,
        enrichedAt: lag ? timestamp + ENRICHMENT_SECONDS : 0,
        combo,
      });
    }
  }

  /** A change of shares or cash other than a trade. */
  addOther(row: {
    type: Exclude<ProviderActivityType, "TRADE" | "CONVERSION">;
    timestamp: number;
    wallet: Profile;
    market: Market | null;
    outcome: 0 | 1 | null;
    side: ActivityRecord["side"];
    size: number;
    usdcSize: number;
  }): void {
    this.#push({
      type: row.type,
      timestamp: row.timestamp,
      wallet: row.wallet,
      market: row.market,
      outcomeIndex: row.outcome,
      tokenId: row.outcome === null ? "" : (row.market?.tokenIds[row.outcome] ?? ""),
      side: row.side,
      size: roundMicro(row.size),
      usdcSize: roundMicro(row.usdcSize),
      price: 0,
      transactionHash: this.#nextTransaction(),
      role: null,
      enrichedAt: 0,
      combo: null,
    });
  }

  /**
   * A conversion of NO shares of several questions in one transaction: a row each, the dollars on the first.
   * The provider's rows were never recorded; these carry the information that such rows could.
   */
  addConversion(timestamp: number, wallet: Profile, markets: readonly Market[], size: number): void {
    const transactionHash = this.#nextTransaction();
    for (const [index, market] of markets.entries()) {
      this.#push({
        type: "CONVERSION",
        timestamp,
        wallet,
        market,
        outcomeIndex: 1,
        tokenId: market.tokenIds[1] ?? "",
        side: "",
        size,
        usdcSize: index === 0 ? roundMicro(size * (markets.length - 1)) : 0,
        price: 0,
        transactionHash,
        role: null,
        enrichedAt: 0,
        combo: null,
      });
    }
  }

  /** A lifecycle event of a combo in a transaction of its own. */
  addComboEvent(event: Omit<ComboEventRecord, "blockNumber" | "logIndex" | "transactionHash">): void {
    this.comboEvents.push({
      ...event,
      transactionHash: this.#nextTransaction(),
      // Two blocks in three seconds, and one log for each transaction of the day.
      blockNumber: Math.floor((event.timestamp * 2) / 3),
      logIndex: this.#transactions,
    });
  }

  /** @param variant another combo at the same place of the day */
  comboId(variant = 0): string {
    return this.#ids.combo(this.#event, this.#transactions + variant * SEQUENCES_PER_EVENT);
  }

  #nextTransaction(): string {
    this.#transactions += 1;
    return this.#ids.transaction(this.#event, this.#transactions);
  }

  #push(movement: Omit<ActivityRecord, "sequence">): void {
    this.movements.push({ ...movement, sequence: this.#event * SEQUENCES_PER_EVENT + this.movements.length });
  }
}

export const roundMicro = (value: number): number => Math.round(value * 1e6) / 1e6;

/** A position id of the provider's second protocol: the condition id, then the outcome byte. */
function comboToken(combo: ActivityRecord["combo"], outcome: 0 | 1): string {
  return combo === null ? "" : BigInt(`${combo.conditionId}0${outcome}`).toString();
}
