import { normalCdf } from "../../../src/scoring/skill/normal-cdf.ts";
import { createRandom, type Random } from "../../provider/simulate/random.ts";
import { normalQuantile } from "./normal-quantile.ts";
import { nth } from "../nth.ts";
import { WORLDS, type World } from "./worlds.ts";

/** Markets of a simulated year. The steps of market m start at m * STEPS in the step columns. */
export interface SimulatedMarkets {
  readonly eventCount: number;
  /** By event: its first market; one extra entry closes the last event. Events are ordered by popularity. */
  readonly firstMarket: Int32Array;
  readonly eventOfMarket: Int32Array;
  /** By market: the number of its story (events of one series on one night); -1 where its event has no series. */
  readonly storyOfMarket: Int32Array;
  readonly settledAt: Float64Array;
  /** Kickoff of a game's markets; NaN for others. */
  readonly closesAt: Float64Array;
  /** 1 when yes won. */
  readonly yesWon: Uint8Array;
  /**
   * By step: seconds, the true probability of yes, the mid price of yes, and that price's error in log odds.
   */
  readonly at: Float64Array;
  readonly truth: Float64Array;
  readonly price: Float64Array;
  readonly error: Float64Array;
}

const DAY = 86_400;

/** How many markets an event has, its median life in days, and the range of its first prices. The second is a game. */
const SHAPES = [
  { share: 0.45, markets: [1, 1], medianDays: 14, firstPrice: [0.05, 0.85], isGame: false },
  { share: 0.35, markets: [3, 3], medianDays: 2, firstPrice: [0.25, 0.75], isGame: true },
  { share: 0.2, markets: [4, 8], medianDays: 30, firstPrice: [0.02, 0.4], isGame: false },
] as const;

export function drawMarkets(seed: number, eventCount: number, facts: World = WORLDS.base): SimulatedMarkets {
  const random = createRandom(seed, "markets");
  const shapes = Array.from({ length: eventCount }, () => drawShape(random));
  const firstMarket = new Int32Array(eventCount + 1);
  shapes.forEach(
    ({ markets }, event) => (firstMarket[event + 1] = nth(firstMarket, event) + random.integer(markets[0], markets[1])),
  );
  const marketCount = nth(firstMarket, eventCount);
  const columns = {
    eventCount,
    firstMarket,
    eventOfMarket: new Int32Array(marketCount),
    storyOfMarket: new Int32Array(marketCount).fill(-1),
    settledAt: new Float64Array(marketCount),
    closesAt: new Float64Array(marketCount).fill(Number.NaN),
    yesWon: new Uint8Array(marketCount),
    at: new Float64Array(marketCount * facts.STEPS),
    truth: new Float64Array(marketCount * facts.STEPS),
    price: new Float64Array(marketCount * facts.STEPS),
    error: new Float64Array(marketCount * facts.STEPS),
  };
  const stories = Array.from(
    { length: Math.ceil((eventCount * facts.STORY_EVENTS) / facts.EVENTS_PER_STORY) },
    (_, number) => ({ number, endsAt: random.next() * facts.YEAR_DAYS * DAY, news: random.normal() }),
  );
  const leagues = createRandom(seed, "leagues");
  shapes.forEach((shape, event) => {
    const story = random.chance(facts.STORY_EVENTS) ? random.pick(stories) : null;
    const endsAt = drawEvent(facts, random, columns, event, shape, story);
    const league = leagues.integer(1, facts.LEAGUES);
    // A story is one series, and its events are scheduled for one night.
    if (story !== null) setStory(columns, event, story.number);
    else if (shape.isGame) setStory(columns, event, stories.length + Math.floor(endsAt / DAY) * facts.LEAGUES + league);
  });
  return columns;
}

function setStory({ firstMarket, storyOfMarket }: SimulatedMarkets, event: number, story: number): void {
  storyOfMarket.fill(story, firstMarket[event], firstMarket[event + 1]);
}

type Shape = (typeof SHAPES)[number];

function drawShape(random: Random): Shape {
  let left = random.next();
  for (const shape of SHAPES) {
    left -= shape.share;
    if (left < 0) return shape;
  }
  return SHAPES[0];
}

/** @returns when the event ends */
function drawEvent(
  facts: World,
  random: Random,
  columns: SimulatedMarkets,
  event: number,
  shape: Shape,
  story: { readonly endsAt: number; readonly news: number } | null,
): number {
  const endsAt = story === null ? random.next() * facts.YEAR_DAYS * DAY : story.endsAt + random.between(0, DAY);
  const lifeSeconds = shape.medianDays * DAY * Math.exp(0.5 * random.normal());
  const lastNews = shape.isGame ? facts.GAME_LAST_NEWS : facts.LAST_NEWS;
  const sharedNews = Array.from({ length: facts.STEPS + 1 }, () => random.normal());
  for (let market = nth(columns.firstMarket, event); market < nth(columns.firstMarket, event + 1); market += 1) {
    columns.eventOfMarket[market] = event;
    // The payout is known some hours after the last trade.
    columns.settledAt[market] = endsAt + random.between(600, 12 * 3600);
    if (shape.isGame) columns.closesAt[market] = endsAt - lifeSeconds * (1 - facts.KICKOFF);
    const bar = normalQuantile(random.between(shape.firstPrice[0], shape.firstPrice[1]));
    let news = 0;
    let error = facts.MISPRICING * random.normal();
    for (let step = 0; step < facts.STEPS; step += 1) {
      const known = ((1 - lastNews) * step) / facts.STEPS;
      const index = market * facts.STEPS + step;
      const truth = normalCdf((bar - news) / Math.sqrt(1 - known));
      columns.at[index] = endsAt - lifeSeconds * (1 - (step + random.next()) / facts.STEPS);
      columns.truth[index] = truth;
      columns.error[index] = error;
      columns.price[index] = priceOf(facts, truth, error);
      const own = random.normal();
      const part = Math.sqrt((1 - lastNews) / facts.STEPS);
      news += part * (Math.sqrt(facts.EVENT_SHARED) * nth(sharedNews, step) + Math.sqrt(1 - facts.EVENT_SHARED) * own);
      error =
        facts.MISPRICING_STAYS * error +
        Math.sqrt(1 - facts.MISPRICING_STAYS ** 2) * facts.MISPRICING * random.normal();
    }
    const last = story === null ? nth(sharedNews, facts.STEPS) : story.news;
    const shared = story === null ? facts.EVENT_SHARED : facts.STORY_SHARED;
    news += Math.sqrt(lastNews) * (Math.sqrt(shared) * last + Math.sqrt(1 - shared) * random.normal());
    columns.yesWon[market] = news < bar ? 1 : 0;
  }
  return endsAt;
}

/**
 * The crowd's price: the truth with long shots overpriced, plus an error. In tenths of a cent, like the
 * provider's quotes.
 */
function priceOf(facts: World, truth: number, error: number): number {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, truth));
  const logOdds = Math.log(bounded / (1 - bounded)) / facts.LONGSHOT_STRETCH;
  const price = facts.isErrorAdditive
    ? 1 / (1 + Math.exp(-logOdds)) + error / 4
    : 1 / (1 + Math.exp(-(logOdds + error)));
  return Math.min(0.997, Math.max(0.003, Math.round(1000 * price) / 1000));
}
