import type { Market } from "../provider-world.ts";
import type { Crowd } from "./trade/crowd.ts";
import { ActivityWriter } from "./activity-writer.ts";
import { createRandom } from "./random.ts";
import { slotStartMs } from "./plan/schedule.ts";
import type { SimulatedIds } from "./simulated-ids.ts";
import { simulateCombos } from "./simulate-combos.ts";
import type { SimulatedWallet } from "./wallets.ts";

const HOUR = 3600;

/** The daily activity outside of markets: rebates, rewards, transfers and combos of the games. */
export function simulateDay(
  seed: number,
  number: number,
  {
    ids,
    crowd,
    listOpenGames,
  }: {
    readonly ids: SimulatedIds;
    readonly crowd: Crowd;
    /** The moneylines of games that are open for trading at a moment in epoch milliseconds. */
    readonly listOpenGames: (ms: number) => readonly Market[];
  },
): Pick<ActivityWriter, "movements" | "comboEvents"> {
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
  simulateCombos({ random, writer, crowd, midnight, listOpenGames });
  return writer;
}
