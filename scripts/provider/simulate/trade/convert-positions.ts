import type { Market } from "../../provider-world.ts";
import { givenPrice } from "./conversions.ts";
import type { EventPlan } from "../plan/event-plan.ts";
import type { Inventory } from "./inventory.ts";
import { foldLedgerPositions } from "./ledger.ts";
import type { ActivityWriter } from "../activity-writer.ts";
import type { Random } from "../random.ts";
import type { SimulatedWallet } from "../wallets.ts";

const CHANCE = 0.3;
/** A wallet converts at least this many shares. */
const LEAST_SHARES = 5;

export interface ConversionScene {
  readonly plan: EventPlan;
  readonly markets: readonly Market[];
  /** By question. */
  readonly inventories: readonly Inventory[];
  readonly random: Random;
  readonly writer: ActivityWriter;
}

/**
 * After the close a wallet with NO shares of several questions of a group sometimes converts some into YES of
 * the others and cash.
 */
export function convertPositions(scene: ConversionScene): void {
  const { plan, markets, inventories, random, writer } = scene;
  if (!plan.negRisk) return;
  for (const wallet of new Set(inventories.flatMap((inventory) => inventory.holders()))) {
    const convertible = markets.filter((_, index) => (inventories[index]?.of(wallet, 1) ?? 0) >= LEAST_SHARES);
    if (convertible.length < 2 || !random.chance(CHANCE)) continue;
    const taken = convertible.slice(0, random.integer(2, Math.min(convertible.length, markets.length - 1)));
    const part = random.between(0.5, 1);
    const progress = random.between(0.05, 0.9);
    if (!isWorthIt(scene, wallet, taken)) continue;
    const least = Math.min(...taken.map((market) => inventories[markets.indexOf(market)]?.of(wallet, 1) ?? 0));
    const size = Math.floor(least * part * 1e6) / 1e6;
    for (const [index, market] of markets.entries()) {
      if (taken.includes(market)) inventories[index]?.add(wallet, 1, -size);
      else inventories[index]?.add(wallet, 0, size);
    }
    const timestamp = Math.ceil((plan.closesMs + (plan.resolvesMs - plan.closesMs) * progress) / 1000);
    writer.addConversion(timestamp, wallet.profile, taken, size);
  }
}

/** Whether the YES shares get a cost of at least 0: wallets of this world convert only then. */
function isWorthIt({ markets, writer }: ConversionScene, wallet: SimulatedWallet, taken: readonly Market[]): boolean {
  const holdings = foldLedgerPositions(writer.movements.filter((movement) => movement.wallet === wallet.profile));
  const averages = taken.map(
    (market) => holdings.find((holding) => holding.market === market && holding.outcomeIndex === 1)?.averagePrice ?? 0,
  );
  return givenPrice(averages, markets.length - taken.length) >= 0;
}
