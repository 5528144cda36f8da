import type { ActivityRecord } from "../provider-world.ts";
import type { Crowd } from "./crowd.ts";
import { ActivityWriter, roundMicro } from "./activity-writer.ts";
import { createRandom } from "./random.ts";
import { slotStartMs } from "./schedule.ts";
import type { SimulatedIds } from "./simulated-ids.ts";
import { CITY_LEGS } from "./topics.ts";
import type { SimulatedWallet } from "./wallets.ts";

const HOUR = 3600;
const COMBOS_PER_DAY = 24;

/** The daily activity outside of markets: rebates, rewards, transfers and a few combinations. */
export function simulateDay(seed: number, number: number, ids: SimulatedIds, crowd: Crowd): readonly ActivityRecord[] {
  const random = createRandom(seed, "day", number);
  const writer = new ActivityWriter(number, ids);
  const midnight = slotStartMs(number) / 1000;
  const pay = (
    type: "MAKER_REBATE" | "REWARD" | "YIELD" | "DEPOSIT" | "WITHDRAWAL",
    wallet: SimulatedWallet,
    hours: number,
    usd: number,
  ) =>
    writer.addOther({
      type,
      timestamp: midnight + Math.floor(hours * HOUR),
      wallet: wallet.profile,
      market: null,
      outcome: null,
      side: type === "DEPOSIT" ? "IN" : type === "WITHDRAWAL" ? "OUT" : "",
      size: usd,
      usdcSize: usd,
    });
  for (const maker of crowd.makers) {
    pay("MAKER_REBATE", maker, 0.2, random.between(1, 40));
    pay("REWARD", maker, 0.3, random.between(0.5, 15));
  }
  for (let index = 0; index < 20; index += 1) {
    const type = random.chance(0.1) ? "YIELD" : random.chance(0.6) ? "DEPOSIT" : "WITHDRAWAL";
    pay(type, random.pick(crowd.all), random.between(0, 24), random.between(5, 2000));
  }
  for (let index = 0; index < COMBOS_PER_DAY; index += 1) {
    const legs = [random.pick(CITY_LEGS), random.pick(CITY_LEGS)].map((leg) => `Will ${leg} win? (simulated)`);
    const combo = { conditionId: writer.comboId(), title: legs.join(" AND ") };
    const price = random.integer(5, 60) / 100;
    const size = random.integer(5, 400);
    const feeUsd = Math.round(size * 0.05 * price * (1 - price) * 1e5) / 1e5;
    const timestamp = midnight + random.integer(0, 24 * HOUR - 1);
    const common = { market: null, side: "BUY", size } as const;
    const maker = {
      ...common,
      wallet: random.pick(crowd.makers).profile,
      outcome: 1,
      price: roundMicro(1 - price),
      feeUsd: 0,
      role: "maker",
    } as const;
    const taker = {
      ...common,
      wallet: random.pick(crowd.all).profile,
      outcome: 0,
      price,
      feeUsd,
      role: "taker",
    } as const;
    writer.addSettlement(timestamp, [maker, taker], false, combo);
  }
  return writer.movements;
}
