import type { Market } from "../world.ts";
import type { Crowd } from "./crowd.ts";
import type { EventPlan, MarketPlan } from "./event-plan.ts";
import type { Inventory } from "./inventory.ts";
import type { LatentPath } from "./latent-path.ts";
import type { MovementWriter } from "./movement-writer.ts";
import type { Random } from "./random.ts";

/** What trading one market works with. */
export interface MarketScene {
  readonly plan: EventPlan;
  readonly marketPlan: MarketPlan;
  readonly market: Market;
  readonly path: LatentPath;
  readonly inventory: Inventory;
  readonly crowd: Crowd;
  readonly random: Random;
  readonly writer: MovementWriter;
}
