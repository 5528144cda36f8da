import type { Market } from "../provider-world.ts";
import type { Crowd } from "./trade/crowd.ts";
import type { EventPlan, MarketPlan } from "./plan/event-plan.ts";
import type { Inventory } from "./trade/inventory.ts";
import type { LatentPath } from "./plan/latent-path.ts";
import type { ActivityWriter } from "./activity-writer.ts";
import type { Random } from "./random.ts";

/** The dependencies of trading one market. */
export interface MarketScene {
  readonly plan: EventPlan;
  readonly marketPlan: MarketPlan;
  readonly market: Market;
  readonly path: LatentPath;
  readonly inventory: Inventory;
  readonly crowd: Crowd;
  readonly random: Random;
  readonly writer: ActivityWriter;
}
