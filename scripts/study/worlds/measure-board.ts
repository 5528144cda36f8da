import { storyOf } from "../../../src/domain/markets/story.ts";
import type { ActivityRecord, MarketEvent } from "../../provider/provider-world.ts";
import { SimulatedEvents } from "../../provider/simulate/simulated-events.ts";
import { listSimulatedWallets, type Archetype } from "../../provider/simulate/wallets.ts";
import { evidenceOf } from "../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../src/scoring/skill/grade.ts";
import type { Letter } from "../../../src/scoring/skill/letter.ts";
import { RECENT_DAYS } from "../../../src/scoring/skill/parameters.ts";
import { estimatePopulation } from "../../../src/scoring/skill/population.ts";
import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";
import { DAY_MS } from "../../../src/scoring/utc-calendar.ts";

/** The graded traders of one simulated market on its first day: the history that a fresh start reads. */
export interface Board {
  readonly seed: number;
  readonly traders: readonly {
    readonly kind: Archetype;
    readonly letter: Letter;
    /** Its large trades as taker. */
    readonly largeTrades: number;
  }[];
  /** Of all traders, graded or not. */
  readonly largeTrades: number;
}

/** What the large-trade lists show by default. */
const LARGE_USD = 5000;

const NOW = Date.UTC(2026, 10, 21, 12);
const UPPER: readonly string[] = ["S", "A", "B"];

export function measureBoard(seed: number): Board {
  const traders = listFirstRecords(seed);
  const evidences = traders.map(({ bets }) => evidenceOf(bets));
  const population = estimatePopulation(evidences);
  return {
    seed,
    largeTrades: traders.reduce((sum, { largeTrades }) => sum + largeTrades, 0),
    traders: traders.flatMap(({ kind, recentBets, largeTrades }, index) => {
      const evidence = evidences[index];
      const letter = evidence === undefined ? null : gradeOf(evidence, population, evidenceOf(recentBets)).grade;
      return letter === null ? [] : [{ kind, letter, largeTrades }];
    }),
  };
}

interface FirstRecord {
  readonly kind: Archetype;
  /** Settled purchases. */
  readonly bets: readonly SettledBet[];
  /** Those of them that settled on the last RECENT_DAYS days or today. */
  readonly recentBets: readonly SettledBet[];
  readonly largeTrades: number;
}

/** What each wallet of the market simulator has done by a start. */
export function listFirstRecords(seed: number): readonly FirstRecord[] {
  const wallets = listSimulatedWallets(seed);
  const { movements } = new SimulatedEvents(seed, wallets, () => NOW);
  const trades = movements.all.filter(({ type, timestamp }) => type === "TRADE" && timestamp * 1000 <= NOW);
  const byWallet = Map.groupBy(trades, ({ wallet }) => wallet.address);
  return wallets.flatMap(({ profile, archetype }): FirstRecord[] => {
    const own = byWallet.get(profile.address) ?? [];
    const large = own.filter(
      ({ role, market, size, price }) => role === "taker" && market && size * price >= LARGE_USD,
    );
    if (own.length === 0) return [];
    const bets = own.flatMap(toSettledBet);
    const recentBets = own.filter(isRecent).flatMap(toSettledBet);
    return [{ kind: archetype, bets, recentBets, largeTrades: large.length }];
  });
}

const isRecent = ({ market }: ActivityRecord): boolean => {
  const settledAt = market?.resolution?.atMs ?? Number.NEGATIVE_INFINITY;
  return Math.floor(settledAt / DAY_MS) >= Math.floor(NOW / DAY_MS) - RECENT_DAYS;
};

function toSettledBet({ side, market, outcomeIndex, size, price, role }: ActivityRecord): readonly SettledBet[] {
  if (side !== "BUY" || market === null || outcomeIndex === null) return [];
  if (market.resolution === null || market.resolution.atMs > NOW) return [];
  const payout = (market.resolution.payoutsPpm[outcomeIndex] ?? 0) / 1e6;
  const bet = { cluster: market.event.slug, market: market.conditionId, outcome: outcomeIndex, shares: size };
  return [{ ...bet, ...storyOfEvent(market.event), usd: size * price, payout, isMaker: role === "maker" }];
}

function storyOfEvent({ series, game, endAtMs }: MarketEvent): Pick<SettledBet, "story"> {
  const atMs = game?.kickoffMs ?? endAtMs;
  const story = storyOf(series?.slug ?? null, atMs === null ? null : new Date(atMs));
  return story === null ? {} : { story };
}

/** Wallets of the simulator that know nothing of the next price. */
const isNoise = (kind: Archetype): boolean =>
  kind === "noise" || kind === "unskilled" || kind === "lottery_buyer" || kind === "favourite_buyer";

/** Who has an S, an A or a B on a fresh start, as Markdown. */
export function renderBoards(boards: readonly Board[]): string {
  const rows = [
    ...boards.map((board) => ({ ...board, title: String(board.seed) })),
    {
      title: "all",
      traders: boards.flatMap(({ traders }) => traders),
      largeTrades: boards.reduce((sum, board) => sum + board.largeTrades, 0),
    },
  ];
  return [
    `## The board of a fresh start, ${boards.length} simulated markets`,
    "",
    "GENERATED DATA: nothing here was measured at a real market.",
    "",
    "| seed | graded | S, A or B | of these noise | skilled | makers | others | skilled with S, A or B | with S or A | S, A or B with large trades | their large trades |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...rows.map(({ title, traders, largeTrades }) => {
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
        `${skilled} of ${allSkilled.length}`,
        `${best} of ${allSkilled.length}`,
        upper.filter((trader) => trader.largeTrades > 0).length,
        `${upper.reduce((sum, trader) => sum + trader.largeTrades, 0)} of ${largeTrades}`,
      ];
      return `| ${cells.join(" | ")} |`;
    }),
    "",
  ].join("\n");
}
