import { comboPayoutAt, legPayoutAt, positionIdsOf, type Combo, type ComboLeg } from "../combos.ts";
import type { Market } from "../provider-world.ts";
import { roundMicro, type ActivityWriter } from "./activity-writer.ts";
import type { Crowd } from "./trade/crowd.ts";
import type { Random } from "./random.ts";
import type { SimulatedWallet } from "./wallets.ts";

const HOUR = 3600;
const COMBOS_PER_DAY = 24;
const FEE_RATE = 0.05;
const MOST_LEGS = 4;

export interface ComboScene {
  readonly random: Random;
  readonly writer: ActivityWriter;
  readonly crowd: Crowd;
  /** Epoch seconds. */
  readonly midnight: number;
  /** The moneylines of games that are open for trading at a moment in epoch milliseconds. */
  listOpenGames(ms: number): readonly Market[];
}

/** The combos of a day: purchases by quote, some sales, compressions of won legs, and redemptions. */
export function simulateCombos(scene: ComboScene): void {
  const { random, midnight } = scene;
  for (let index = 0; index < COMBOS_PER_DAY; index += 1) {
    const timestamp = midnight + random.integer(0, 24 * HOUR - 1);
    const combo = drawCombo(scene, timestamp);
    if (combo !== null) tradeCombo(scene, combo, timestamp);
  }
}

/** Two to four games with one side each; null when fewer than two games are open. */
function drawCombo({ random, writer, listOpenGames }: ComboScene, timestamp: number): Combo | null {
  const open = [...listOpenGames(timestamp * 1000)];
  const legs: ComboLeg[] = [];
  const wanted = random.integer(2, MOST_LEGS);
  while (legs.length < wanted && open.length > 0) {
    const [market] = open.splice(random.integer(0, open.length - 1), 1);
    if (market !== undefined) legs.push({ market, outcomeIndex: random.chance(0.5) ? 0 : 1 });
  }
  return legs.length < 2 ? null : comboOf(writer.comboId(), legs);
}

function comboOf(conditionId: string, legs: readonly ComboLeg[]): Combo {
  const position = ({ market, outcomeIndex }: ComboLeg) => BigInt(positionIdsOf(market)[outcomeIndex] ?? 0);
  const ordered = legs.toSorted((a, b) => (position(a) < position(b) ? -1 : 1));
  const title = ordered.map(({ market, outcomeIndex }) => `${market.question}: ${market.outcomes[outcomeIndex]}`);
  return { conditionId, title: title.join(" AND "), legs: ordered };
}

function tradeCombo(scene: ComboScene, combo: Combo, timestamp: number): void {
  const { random, crowd, writer } = scene;
  const [taker, maker] = [random.pick(crowd.all), random.pick(crowd.makers)];
  if (taker === maker) return;
  const price = random.integer(5, 60) / 100;
  const size = random.integer(5, 400);
  settle(scene, { combo, timestamp, price, size, side: "BUY", taker, maker });
  let held = size;
  const firstMs = Math.min(...combo.legs.map(({ market }) => market.resolution?.atMs ?? Number.POSITIVE_INFINITY));
  if (random.chance(0.15) && firstMs / 1000 > timestamp + 2 * HOUR) {
    held = roundMicro(size / 2);
    const at = timestamp + HOUR;
    settle(scene, { combo, timestamp: at, price: random.integer(5, 60) / 100, size: held, side: "SELL", taker, maker });
  }
  if (random.chance(0.1)) {
    const set = { wallet: maker.profile, combo, into: null, outcomeIndex: 0, payout: null } as const;
    writer.addComboEvent({ ...set, type: "SPLIT", timestamp: timestamp + 60, amount: 50 });
    writer.addComboEvent({ ...set, type: "MERGE", timestamp: timestamp + 120, amount: 20 });
  }
  const current = compress(scene, combo, taker, held);
  redeem(scene, current, taker, held);
}

interface ComboTrade {
  readonly combo: Combo;
  readonly timestamp: number;
  readonly price: number;
  readonly size: number;
  readonly side: "BUY" | "SELL";
  readonly taker: SimulatedWallet;
  readonly maker: SimulatedWallet;
}

/** The maker of a quote takes the other side: NO of a purchase, YES of a sale. */
function settle({ writer }: ComboScene, { combo, timestamp, price, size, side, taker, maker }: ComboTrade): void {
  const feeUsd = Math.round(size * FEE_RATE * price * (1 - price) * 1e5) / 1e5;
  const common = { market: null, size } as const;
  const quoted =
    side === "BUY" ? { outcome: 1 as const, price: roundMicro(1 - price) } : { outcome: 0 as const, price };
  writer.addSettlement(
    timestamp,
    [
      { ...common, ...quoted, wallet: maker.profile, side: "BUY", feeUsd: 0, role: "maker" },
      { ...common, wallet: taker.profile, outcome: 0, side, price, feeUsd, role: "taker" },
    ],
    false,
    combo,
  );
}

/** Half of the takers whose first resolved leg has won drop it, so that their bet continues in another combo. */
function compress({ random, writer }: ComboScene, combo: Combo, taker: SimulatedWallet, held: number): Combo {
  const byTime = combo.legs.toSorted((a, b) => (a.market.resolution?.atMs ?? 0) - (b.market.resolution?.atMs ?? 0));
  const [first, second] = byTime;
  const atMs = (first?.market.resolution?.atMs ?? 0) + 600_000;
  const isWon = first !== undefined && legPayoutAt(first, atMs) === 1_000_000;
  const isAlone = (second?.market.resolution?.atMs ?? 0) > atMs + 600_000;
  if (combo.legs.length < 3 || !isWon || !isAlone || !random.chance(0.5)) return combo;
  const into = comboOf(
    writer.comboId(1),
    combo.legs.filter((leg) => leg !== first),
  );
  writer.addComboEvent({
    type: "COMPRESS",
    wallet: taker.profile,
    combo,
    into,
    outcomeIndex: 0,
    amount: held,
    payout: null,
    timestamp: Math.ceil(atMs / 1000),
  });
  return into;
}

/** Most winners redeem within hours. */
function redeem({ random, writer }: ComboScene, combo: Combo, taker: SimulatedWallet, held: number): void {
  const lastMs = Math.max(...combo.legs.map(({ market }) => market.resolution?.atMs ?? 0));
  const payout = comboPayoutAt(combo, 0, lastMs);
  const delay = Math.exp(random.normal()) * HOUR;
  if (payout === null || payout === 0 || !random.chance(0.85)) return;
  writer.addComboEvent({
    type: "REDEEM",
    wallet: taker.profile,
    combo,
    into: null,
    outcomeIndex: 0,
    amount: null,
    payout: roundMicro(held * payout),
    timestamp: Math.ceil(lastMs / 1000 + delay),
  });
}
