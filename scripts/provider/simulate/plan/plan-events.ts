import type { EventPlan, MarketPlan } from "./event-plan.ts";
import { planGame } from "./plan-games.ts";
import { createRandom, type Random } from "../random.ts";
import { TOPICS, tagOf, type Topic } from "./topics.ts";
import { MINUTE_MARKETS, SLOTS, isGame, isMinuteMarket, slotStartMs } from "./schedule.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

const SPLIT_CHANCE = 0.05;

/** The plan of an event, a function of seed and number. */
export function planEvent(seed: number, number: number): EventPlan {
  const random = createRandom(seed, "event", number);
  const startMs = slotStartMs(number);
  if (isMinuteMarket(number)) return planMinuteMarket(number, startMs, random);
  const opensMs = startMs + random.between(0, SLOTS.regularMs);
  return isGame(number) ? planGame(number, opensMs, random) : planTopic(number, opensMs, random);
}

/** Up or down within five minutes. */
function planMinuteMarket(number: number, startMs: number, random: Random): EventPlan {
  const coin = MINUTE_MARKETS[number % 10] ?? "coin";
  const closesMs = startMs + SLOTS.minuteMs;
  const slug = `sim-${coin}-updown-5m-${startMs / 1000}`;
  const title = `${coin.toUpperCase()} Up or Down, ${new Date(startMs).toISOString().slice(11, 16)} to ${new Date(closesMs).toISOString().slice(11, 16)} UTC (simulated)`;
  return {
    number,
    slug,
    title,
    tags: ["crypto", "5m", coin].map(tagOf),
    series: { id: String(9100 + (number % 10)), slug: `sim-${coin}-up-or-down-5m` },
    feeRate: 0.07,
    opensMs: startMs,
    closesMs,
    resolvesMs: closesMs + random.between(15, 60) * 1000,
    negRisk: false,
    game: null,
    markets: [
      {
        ...plainMarket(title, slug, random),
        outcomes: ["Up", "Down"],
        prior: 0.5,
        happens: random.chance(0.5),
        split: false,
        takerTrades: random.integer(200, 400),
      },
    ],
    progressAt: (ms) => (ms - startMs) / (closesMs - startMs),
  };
}

function planTopic(number: number, opensMs: number, random: Random): EventPlan {
  const topic = pickTopic(random);
  const hours = random.between(topic.category === "weather" || topic.category === "crypto" ? 12 : 24, 96);
  const closesMs = opensMs + hours * HOUR_MS;
  const title = `${random.pick(topic.subjects).replace("#", String(number))} (simulated)`;
  const slug = `sim-${topic.category}-${number}`;
  return {
    number,
    slug,
    title,
    tags: topic.tags.map(tagOf),
    series: null,
    feeRate: topic.feeRate,
    opensMs,
    closesMs,
    resolvesMs: closesMs + random.between(0.5, 4) * HOUR_MS,
    negRisk: topic.choices.length > 0,
    game: null,
    markets: topic.choices.length > 0 ? planGroup(topic, title, slug, random) : [planBinary(title, slug, random)],
    progressAt: (ms) => (ms - opensMs) / (closesMs - opensMs),
  };
}

function pickTopic(random: Random): Topic {
  let left = random.next() * TOPICS.reduce((sum, topic) => sum + topic.weight, 0);
  const found = TOPICS.find((topic) => (left -= topic.weight) < 0);
  return found ?? random.pick(TOPICS);
}

const plainMarket = (question: string, slug: string, random: Random) =>
  ({
    question,
    slug,
    groupItemTitle: "",
    outcomes: ["Yes", "No"],
    split: false,
    takerTrades: random.integer(15, 80),
    sportsMarketType: null,
    line: null,
  }) as const;

function planBinary(title: string, slug: string, random: Random): MarketPlan {
  const prior = random.between(0.08, 0.92);
  return {
    ...plainMarket(title, slug, random),
    prior,
    happens: random.chance(prior),
    split: random.chance(SPLIT_CHANCE),
  };
}

/** A neg-risk group: exactly one of its markets happens, drawn by the priors. */
function planGroup(topic: Topic, title: string, slug: string, random: Random): readonly MarketPlan[] {
  const raw = topic.choices.map(() => random.between(0.1, 1));
  const sum = raw.reduce((total, one) => total + one, 0);
  const priors = raw.map((one) => one / sum);
  let left = random.next();
  const winner = Math.max(
    0,
    priors.findIndex((prior) => (left -= prior) < 0),
  );
  return topic.choices.map((choice, index) => ({
    ...plainMarket(`${title}: ${choice}`, `${slug}-${index}`, random),
    groupItemTitle: choice,
    prior: priors[index] ?? 0.5,
    happens: index === winner,
  }));
}
