import { GrowingCatalog } from "../../../provider/catalog.ts";
import type { Combo } from "../../../provider/combos.ts";
import type { Market, MarketEvent, Profile } from "../../../provider/provider-world.ts";
import {
  addressOf,
  eventSlugOf,
  marketSlugOf,
  NEG_RISK_QUESTIONS,
  numberOfCondition,
  numberOfToken,
  tokenOf,
  type MarketShape,
  type MarketShapes,
} from "../history/market-shapes.ts";

/** A five-minute market is listed this long before it begins. */
const LISTED_BEFORE_MS = 600_000;

/** The provider's objects of generated markets. Those that are open are listed, the others are made on request. */
export class LiveCatalog {
  readonly catalog = new GrowingCatalog();
  /** The numbers of the open markets that last longer than five minutes, the busiest first. */
  readonly open: readonly number[];
  readonly combinations: readonly number[];
  readonly #shapes: MarketShapes;
  /** The five-minute markets before this time are listed. */
  #listedToMs: number;
  readonly #profiles = new Map<string, Profile>();

  constructor(shapes: MarketShapes) {
    this.#shapes = shapes;
    this.#listedToMs = shapes.nowMs;
    const numbers = Array.from({ length: shapes.ranks }, (_, rank) => shapes.at(shapes.ofRank(rank)));
    this.combinations = numbers.filter(({ kind }) => kind === "combination").map(({ n }) => n);
    const open = numbers.filter(({ kind, endMs }) => kind !== "combination" && endMs > shapes.nowMs);
    this.open = open.map(({ n }) => n);
    for (const market of open) this.#add(market);
  }

  /** Lists the five-minute markets that are known at a time. */
  listFiveMinutes(atMs: number): void {
    for (; this.#listedToMs <= atMs + LISTED_BEFORE_MS; this.#listedToMs += 300_000)
      for (const n of this.#shapes.fiveMinuteAt(this.#listedToMs)) this.#add(this.#shapes.at(n));
  }

  marketOf(n: number): Market | null {
    const shape = this.#shapes.at(n);
    this.#add(shape);
    return this.catalog.findMarket(shape.conditionId);
  }

  loadCondition(conditionId: string): void {
    const n = numberOfCondition(conditionId);
    if (n !== null) this.#add(this.#shapes.at(n));
  }

  loadToken(tokenId: string): void {
    const token = numberOfToken(tokenId);
    if (token !== null) this.#add(this.#shapes.at(token.n));
  }

  /** A combination of YES in two open markets. */
  comboOf(n: number): Combo {
    const { conditionId, title } = this.#shapes.at(n);
    const legs = [0, 1].flatMap((leg) => {
      const market = this.marketOf(this.open[(n + leg) % this.open.length] ?? 0);
      return market === null ? [] : [{ market, outcomeIndex: 0 as const }];
    });
    return { conditionId, title, legs };
  }

  profileOf(address: string): Profile {
    const known = this.#profiles.get(address);
    if (known !== undefined) return known;
    const name = `generated-${Number(BigInt(address)) - 1}`;
    const profile = { address, name, pseudonym: "", bio: "", profileImage: "", createdAtMs: null };
    this.#profiles.set(address, profile);
    return profile;
  }

  profileOfTrader(trader: number): Profile {
    return this.profileOf(addressOf(trader));
  }

  #add(shape: MarketShape): void {
    const { event, kind } = shape;
    if (event === null || this.catalog.findEvent(String(event)) !== null) return;
    const count = kind === "neg_risk" ? NEG_RISK_QUESTIONS : 1;
    const questions = Array.from({ length: count }, (_, question) => event + question)
      .filter((n) => n === shape.n || n < this.#shapes.count)
      .map((n) => this.#shapes.at(n));
    const object = eventOf(event, shape);
    object.markets.push(...questions.map((question) => marketOf(question, object)));
    this.catalog.addEvent(object);
  }
}

const listedMs = ({ kind, startMs }: MarketShape): number =>
  kind === "five_minute" ? startMs - LISTED_BEFORE_MS : startMs;

const eventOf = (event: number, shape: MarketShape): MarketEvent => ({
  id: String(event),
  slug: eventSlugOf(event),
  title: shape.title,
  image: "",
  tags: [{ id: "1", label: shape.category, slug: shape.category.toLowerCase().replaceAll(" ", "-") }],
  series: null,
  createdAtMs: listedMs(shape),
  startAtMs: shape.startMs,
  endAtMs: shape.endMs,
  closedAtMs: shape.endMs,
  negRisk: shape.kind === "neg_risk",
  negRiskMarketId: `0x${(event + 1).toString(16).padStart(62, "0")}00`,
  game: null,
  markets: [],
  recorded: null,
});

const marketOf = (shape: MarketShape, event: MarketEvent): Market => ({
  id: String(shape.n),
  conditionId: shape.conditionId,
  slug: marketSlugOf(shape.n),
  question: shape.title,
  description: "",
  icon: "",
  outcomes: ["Yes", "No"],
  tokenIds: [tokenOf(shape, 0), tokenOf(shape, 1)],
  event,
  groupItemTitle: "",
  createdAtMs: listedMs(shape),
  startAtMs: shape.startMs,
  endAtMs: shape.endMs,
  closedAtMs: shape.endMs,
  resolution: {
    payoutsPpm: shape.winner === 0 ? [1_000_000, 0] : [0, 1_000_000],
    atMs: shape.resolvedMs,
    timeKnown: true,
  },
  sportsMarketType: null,
  line: null,
  feeRate: null,
  recorded: null,
  recordedClob: null,
});
