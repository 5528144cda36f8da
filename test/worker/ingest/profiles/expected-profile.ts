import { STORY_DAYS, type StoryBet } from "./profile-story.ts";

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const share = (values: readonly boolean[]): number => values.filter(Boolean).length / values.length;

/**
 * Cost, open cost basis, profit realized on its own day, profit at settlement and total profit of a bet, in
 * dollars.
 */
function resultOf({ shares, price, fee, sellPrice, won }: StoryBet) {
  const cost = shares * price;
  const openShares = sellPrice === null ? shares : shares / 2;
  const realized = sellPrice === null ? 0 : (shares / 2) * (sellPrice - price);
  const settled = openShares * ((won ? 1 : 0) - price);
  return { cost, openCost: openShares * price, realized: realized - fee, settled, pnl: realized - fee + settled };
}

/**
 * The trader's figures, calculated a second time in dollars and floats from the story alone, without product
 * code.
 *
 * @param others the measures of the other traders
 */
export function expectedProfile(
  bets: readonly StoryBet[],
  others: { sharpe: number[]; profitFactor: number[]; consistency: number[]; form: number[] },
) {
  const results = bets.map((bet) => ({ ...bet, ...resultOf(bet) }));
  const pnl: number[] = [];
  const capital: number[] = [];
  for (let day = 0; day < STORY_DAYS; day++) {
    const today = results.filter((bet) => bet.day === day);
    const carried = results.filter((bet) => bet.day < day && bet.settledDay >= day);
    pnl.push(
      sum(today.map((bet) => bet.realized)) +
        sum(results.filter((bet) => bet.settledDay === day).map((bet) => bet.settled)),
    );
    capital.push(sum(today.map((bet) => bet.cost)) + sum(carried.map((bet) => bet.openCost)));
  }
  const settled = results.filter((bet) => bet.settledDay < STORY_DAYS);
  const curve = pnl.map((_, day) => sum(pnl.slice(0, day + 1)));
  const peak = Math.max(...capital);

  const sharpe = (days: number) => {
    const returns = pnl.map((amount, day) => amount / (capital[day] ?? 0)).slice(-days);
    const deviation = Math.sqrt(sum(returns.map((value) => (value - mean(returns)) ** 2)) / (returns.length - 1));
    return (mean(returns) / deviation) * Math.sqrt(365);
  };
  const gains = settled.filter((bet) => bet.pnl > 0);
  const losses = settled.filter((bet) => bet.pnl < 0);
  const profitFactor = sum(gains.map((bet) => bet.pnl)) / -sum(losses.map((bet) => bet.pnl));
  const decidedDays = pnl.filter((amount) => Math.abs(amount) > 1e-9);
  const consistency = share(decidedDays.slice(-30).map((amount) => amount > 0));
  const form = sum(pnl.slice(-7)) / Math.max(...capital.slice(-7));

  // Equal values count half; the trader is part of the population.
  const percentile = (value: number, population: number[]) =>
    (100 *
      (population.filter((other) => other < value).length +
        (population.filter((other) => other === value).length + 1) / 2)) /
    (population.length + 1);
  const sharpePercentile = percentile(sharpe(30), others.sharpe);
  const pfPercentile = percentile(profitFactor, others.profitFactor);
  const consistencyPercentile = percentile(consistency, others.consistency);

  const days = curve.map((_, day) => day);
  const correlation =
    sum(days.map((day) => (day - mean(days)) * ((curve[day] ?? 0) - mean(curve)))) /
    Math.sqrt(sum(days.map((day) => (day - mean(days)) ** 2)) * sum(curve.map((value) => (value - mean(curve)) ** 2)));
  const paid = sum(settled.map((bet) => bet.cost));
  const concentration = sum(settled.map((bet) => (bet.cost / paid) ** 2));
  const base =
    0.3 * sharpePercentile +
    0.2 * pfPercentile +
    0.2 * consistencyPercentile +
    10 * Math.min(1, sum(pnl) / peak / 2) +
    10 * correlation ** 2 +
    10 * (1 - concentration);

  const entry = mean(settled.map((bet) => bet.price));
  const payout = share(settled.map((bet) => bet.won));
  const kelly = Math.max(0, (payout - entry) / (1 - entry));
  const bySettlement = [...settled].sort((a, b) => a.settledDay - b.settledDay || a.market - b.market);
  const half = Math.floor(bySettlement.length / 2);
  const penalty =
    (settled.length < 50 ? 20 : 0) +
    (concentration > 0.25 ? 15 : 0) +
    (paid / settled.length / peak > 2 * kelly ? 15 : 0) +
    (-Math.min(...settled.map((bet) => bet.pnl)) / peak > 0.3 ? 10 : 0) +
    (sum(bySettlement.slice(0, half).map((bet) => bet.pnl)) <= 0 ||
    sum(bySettlement.slice(half).map((bet) => bet.pnl)) <= 0
      ? 10
      : 0);

  const falls = curve.map((value, day) => value - Math.max(0, ...curve.slice(0, day + 1)));
  return {
    metrics: {
      smart_score: base,
      copy_score: Math.max(0, base - penalty),
      sharpe_30d: sharpe(30),
      sharpe_7d: sharpe(7),
      profit_factor: profitFactor,
      edge_consistency: consistency,
      sharpe_percentile: sharpePercentile,
      pf_percentile: pfPercentile,
      consistency_percentile: consistencyPercentile,
    },
    form,
    formPercentile: percentile(form, others.form),
    record: { wins: gains.length, decided: settled.length },
    days: { wins: decidedDays.filter((amount) => amount > 0).length, decided: decidedDays.length },
    drawdown: { deepest: Math.min(...falls), current: falls.at(-1) ?? 0 },
    recordOf: (category: string) => {
      const own = settled.filter((bet) => bet.category === category);
      return { wins: own.filter((bet) => bet.pnl > 0).length, decided: own.length };
    },
    strengthOf: (category: string) => {
      const own = settled.filter((bet) => bet.category === category && bet.cost >= 20);
      return {
        decided: own.length,
        expected: mean(own.map((bet) => bet.price)),
        pnl: sum(own.map((bet) => bet.pnl)),
        cost: sum(own.map((bet) => bet.cost)),
      };
    },
  };
}
