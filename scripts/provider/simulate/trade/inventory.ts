import type { SimulatedWallet } from "../wallets.ts";

/** Shares of one market by wallet and outcome. */
export class Inventory {
  readonly #shares = new Map<SimulatedWallet, [number, number]>();

  of(wallet: SimulatedWallet, outcome: 0 | 1): number {
    return this.#shares.get(wallet)?.[outcome] ?? 0;
  }

  /** @param shares negative for a removal */
  add(wallet: SimulatedWallet, outcome: 0 | 1, shares: number): void {
    const owned = this.#shares.get(wallet) ?? [0, 0];
    // Rounded to the provider's six decimals, so that a wallet can sell exactly what it bought.
    owned[outcome] = Math.round((owned[outcome] + shares) * 1e6) / 1e6;
    this.#shares.set(wallet, owned);
  }

  holders(): readonly SimulatedWallet[] {
    return [...this.#shares.keys()];
  }
}
