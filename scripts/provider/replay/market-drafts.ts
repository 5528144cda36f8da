import { UNKNOWN_OUTCOME } from "../http/data/activity-rows.ts";
import { generatedToken } from "./generated-ids.ts";
import type { Tag } from "../provider-world.ts";

/** The recorded facts of one market, collected from several files. Empty strings and nulls are unknown. */
export interface MarketDraft {
  readonly conditionId: string;
  id: string;
  question: string;
  slug: string;
  description: string;
  icon: string;
  eventSlug: string;
  closed: boolean;
  startAtMs: number | null;
  endAtMs: number | null;
  closedAtMs: number | null;
  sportsMarketType: string | null;
  negRisk: boolean;
  tags: readonly Tag[];
  readonly labels: string[];
  readonly tokenIds: string[];
  payoutsPpm: readonly number[] | null;
  resolvedAtMs: number | null;
  recorded: Record<string, unknown> | null;
  recordedClob: Record<string, unknown> | null;
  /**
   * Whether a token has a guessed outcome index, because no file names its outcome. Such a market gets no
   * payout.
   */
  hasGuessedOutcome: boolean;
}

export interface EventDraft {
  readonly slug: string;
  id: string;
  title: string;
  tags: readonly Tag[];
  series: { id: string; slug: string } | null;
  recorded: Record<string, unknown> | null;
  game: { league: string; home: string; away: string; kickoffMs: number } | null;
}

/** Markets and events of a recording by condition id and event slug. */
export class Drafts {
  readonly markets = new Map<string, MarketDraft>();
  readonly events = new Map<string, EventDraft>();
  readonly #tokens = new Map<string, { conditionId: string; outcomeIndex: number }>();

  market(conditionId: string): MarketDraft {
    const known = this.markets.get(conditionId);
    if (known !== undefined) return known;
    const draft: MarketDraft = {
      conditionId,
      id: "",
      question: "",
      slug: "",
      description: "",
      icon: "",
      eventSlug: "",
      closed: false,
      startAtMs: null,
      endAtMs: null,
      closedAtMs: null,
      sportsMarketType: null,
      negRisk: false,
      tags: [],
      labels: [],
      tokenIds: [],
      payoutsPpm: null,
      resolvedAtMs: null,
      recorded: null,
      recordedClob: null,
      hasGuessedOutcome: false,
    };
    this.markets.set(conditionId, draft);
    return draft;
  }

  event(slug: string): EventDraft {
    const known = this.events.get(slug);
    if (known !== undefined) return known;
    const draft: EventDraft = { slug, id: "", title: "", tags: [], series: null, recorded: null, game: null };
    this.events.set(slug, draft);
    return draft;
  }

  /** Fills the names that are still unknown. */
  name(
    conditionId: string,
    names: { question?: string; slug?: string; icon?: string; eventSlug?: string },
  ): MarketDraft {
    const draft = this.market(conditionId);
    draft.question ||= names.question ?? "";
    draft.slug ||= names.slug ?? "";
    draft.icon ||= names.icon ?? "";
    draft.eventSlug ||= names.eventSlug ?? "";
    return draft;
  }

  /** Records the market and outcome of a token. An unknown outcome index is ignored. */
  recordToken(conditionId: string, outcomeIndex: number, tokenId: string, label: string): void {
    if (outcomeIndex === UNKNOWN_OUTCOME || tokenId === "") return;
    const draft = this.market(conditionId);
    draft.tokenIds[outcomeIndex] ??= tokenId;
    if (label !== "") draft.labels[outcomeIndex] ??= label;
    this.#tokens.set(tokenId, { conditionId, outcomeIndex });
  }

  /** Gives a token whose outcome is not recorded the first free outcome index of its market. */
  guessToken(conditionId: string, tokenId: string): void {
    if (this.#tokens.has(tokenId)) return;
    const draft = this.market(conditionId);
    draft.hasGuessedOutcome = true;
    this.recordToken(conditionId, draft.tokenIds[0] === undefined ? 0 : 1, tokenId, "");
  }

  /** The recorded token of an outcome, else a derived one. */
  tokenOf(conditionId: string, outcomeIndex: number): string {
    const tokenId = this.market(conditionId).tokenIds[outcomeIndex] ?? generatedToken(conditionId, outcomeIndex);
    this.recordToken(conditionId, outcomeIndex, tokenId, "");
    return tokenId;
  }

  findToken(tokenId: string): { conditionId: string; outcomeIndex: number } | null {
    return this.#tokens.get(tokenId) ?? null;
  }

  /**
   * Records a resolution; the first one of a market wins.
   *
   * @param resolvedAtMs null when the time is not recorded
   */
  resolve(conditionId: string, payoutsPpm: readonly number[], resolvedAtMs: number | null): void {
    const draft = this.market(conditionId);
    draft.payoutsPpm ??= payoutsPpm;
    draft.resolvedAtMs ??= resolvedAtMs;
    draft.closed = true;
  }
}

/** Payouts with everything to one outcome, in millionths. */
export const winnerTakesAll = (winner: number, outcomes = 2): readonly number[] =>
  Array.from({ length: outcomes }, (_, index) => (index === winner ? 1_000_000 : 0));
