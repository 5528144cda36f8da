import type { Market } from "../../provider-world.ts";
import type { EventPlan } from "../plan/event-plan.ts";
import type { Inventory } from "./inventory.ts";
import type { ActivityWriter } from "../activity-writer.ts";
import type { Random } from "../random.ts";

const HOUR_SECONDS = 3600;

/** The holders' redemptions after a resolution: most winners redeem within hours, few losers ever do. */
export function settleMarket(scene: {
  plan: EventPlan;
  market: Market;
  inventory: Inventory;
  random: Random;
  writer: ActivityWriter;
}): void {
  const { plan, market, inventory, random, writer } = scene;
  for (const wallet of inventory.holders()) {
    for (const outcome of [0, 1] as const) {
      const size = inventory.of(wallet, outcome);
      const payout = (market.resolution?.payoutsPpm[outcome] ?? 0) / 1e6;
      if (size <= 0 || !random.chance(payout > 0 ? 0.85 : 0.1)) continue;
      const delay = Math.exp(random.normal()) * HOUR_SECONDS;
      const timestamp = Math.ceil(plan.resolvesMs / 1000 + delay);
      // The provider has both forms of winners' rows: with the token, and without it with the payout as size.
      const named = payout === 0 || random.chance(0.5);
      const usdcSize = size * payout;
      writer.addOther({
        type: "REDEEM",
        timestamp,
        wallet: wallet.profile,
        market,
        outcome: named ? outcome : null,
        side: "",
        size: named ? size : usdcSize,
        usdcSize,
      });
    }
  }
}
