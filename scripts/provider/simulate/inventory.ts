import type { SimulatedWallet } from "./wallets.ts";

/** Shares of one market by wallet and outcome. */
export class Inventory {
  readonly #held = new Map<SimulatedWallet, [number, number]>();

  of(wallet: SimulatedWallet, outcome: 0 | 1): number {
    return this.#held.get(wallet)?.[outcome] ?? 0;
  }

  /** @param shares negative to take away */
  add(wallet: SimulatedWallet, outcome: 0 | 1, shares: number): void {
    const held = this.#held.get(wallet) ?? [0, 0];
    // Kept at the provider's six decimals, so that what is bought can be sold to the last share.
    held[outcome] = Math.round((held[outcome] + shares) * 1e6) / 1e6;
    this.#held.set(wallet, held);
  }

  holders(): readonly SimulatedWallet[] {
    return [...this.#held.keys()];
  }
}
