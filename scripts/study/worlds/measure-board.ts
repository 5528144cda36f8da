import { SimulatedEvents } from "../../provider/simulate/simulated-events.ts";
import { listSimulatedWallets, type Archetype } from "../../provider/simulate/wallets.ts";
import { evidenceOf } from "../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../src/scoring/skill/grade.ts";
import type { Letter } from "../../../src/scoring/skill/letter.ts";
import { estimatePopulation } from "../../../src/scoring/skill/population.ts";
import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";

/** The graded traders of one simulated market on its first day: the history that a fresh start reads. */
export interface Board {
  readonly seed: number;
  readonly traders: readonly { readonly kind: Archetype; readonly letter: Letter }[];
}

const NOW = Date.UTC(2026, 10, 21, 12);
const UPPER: readonly string[] = ["S", "A", "B"];

export function measureBoard(seed: number): Board {
  const traders = listFirstRecords(seed);
  const evidences = traders.map(({ bets }) => evidenceOf(bets));
  const population = estimatePopulation(evidences);
  return {
    seed,
    traders: traders.flatMap(({ kind }, index) => {
      const evidence = evidences[index];
      const letter = evidence === undefined ? null : gradeOf(evidence, population).grade;
      return letter === null ? [] : [{ kind, letter }];
    }),
  };
}

/** The settled purchases of each wallet of the market simulator, at a start. */
export function listFirstRecords(seed: number): readonly { kind: Archetype; bets: readonly SettledBet[] }[] {
  const wallets = listSimulatedWallets(seed);
  const kinds = new Map(wallets.map(({ profile, archetype }) => [profile.address, archetype]));
  const bets = new Map<string, SettledBet[]>();
  for (const { type, side, market, outcomeIndex, wallet, size, price, role } of new SimulatedEvents(
    seed,
    wallets,
    () => NOW,
  ).movements.all) {
    if (type !== "TRADE" || side !== "BUY" || market === null || outcomeIndex === null) continue;
    if (market.resolution === null || market.resolution.atMs > NOW) continue;
    const payout = (market.resolution.payoutsPpm[outcomeIndex] ?? 0) / 1e6;
    const own = bets.get(wallet.address) ?? [];
    const bet = { cluster: market.event.slug, market: market.conditionId, outcome: outcomeIndex, shares: size };
    own.push({ ...bet, usd: size * price, payout, isMaker: role === "maker" });
    bets.set(wallet.address, own);
  }
  return [...bets].flatMap(([address, own]) => {
    const kind = kinds.get(address);
    return kind === undefined ? [] : [{ kind, bets: own }];
  });
}

/** Wallets of the simulator that know nothing of the next price. */
const isNoise = (kind: Archetype): boolean =>
  kind === "noise" || kind === "unskilled" || kind === "lottery_buyer" || kind === "favourite_buyer";

/** Who has an S, an A or a B on a fresh start, as Markdown. */
export function renderBoards(boards: readonly Board[]): string {
  const rows = [
    ...boards.map((board) => ({ title: String(board.seed), traders: board.traders })),
    {
      title: "all",
      traders: boards.flatMap(({ traders }) => traders),
    },
  ];
  return [
    `## The board of a fresh start, ${boards.length} simulated markets`,
    "",
    "GENERATED DATA: nothing here was measured at a real market.",
    "",
    "| seed | graded | S, A or B | of these noise | skilled | makers | others | skilled with S, A or B | with S or A |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...rows.map(({ title, traders }) => {
      const upper = traders.filter(({ letter }) => UPPER.includes(letter));
      const of = (isCounted: (kind: Archetype) => boolean) => upper.filter(({ kind }) => isCounted(kind)).length;
      const noise = of(isNoise);
      const skilled = of((kind) => kind === "skilled");
      const makers = of((kind) => kind === "market_maker");
      const allSkilled = traders.filter(({ kind }) => kind === "skilled");
      const best = allSkilled.filter(({ letter }) => letter === "S" || letter === "A").length;
      const cells = [
        title,
        traders.length,
        upper.length,
        noise,
        skilled,
        makers,
        upper.length - noise - skilled - makers,
      ];
      return `| ${[...cells, `${skilled} of ${allSkilled.length}`, `${best} of ${allSkilled.length}`].join(" | ")} |`;
    }),
    "",
  ].join("\n");
}
