import type { Market } from "../provider-world.ts";
import type { Crowd } from "./crowd.ts";
import type { EventPlan, MarketPlan } from "./event-plan.ts";
import type { Inventory } from "./inventory.ts";
import type { LatentPath } from "./latent-path.ts";
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
