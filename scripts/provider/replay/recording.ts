import { Drafts } from "./market-drafts.ts";
import type { TradeFile } from "./recorded-trades.ts";
import type { BookLevel, BoardPeriod, ProviderActivityType, PricePoint, Profile, Tag } from "../provider-world.ts";

export interface RecordedActivity {
  readonly type: Exclude<ProviderActivityType, "TRADE">;
  readonly wallet: string;
  readonly conditionId: string;
  readonly tokenId: string;
  readonly size: number;
  readonly usdcSize: number;
  readonly price: number;
  readonly timestamp: number;
  readonly transactionHash: string;
}

export interface RecordedPosition {
  readonly wallet: string;
  readonly conditionId: string;
  readonly outcomeIndex: number;
  readonly currentSize: number;
  readonly averagePrice: number;
  readonly currentPrice: number;
  readonly totalSize: number;
  readonly realizedPnl: number;
  readonly lastEventAt: number | null;
}

export interface RecordedBoard {
  readonly period: BoardPeriod;
  readonly category: string;
  /** The time from which the board is visible. */
  readonly atMs: number;
  readonly rows: readonly { readonly wallet: string; readonly pnl: number; readonly volume: number }[];
}

/** Everything loaded from the files of a directory. */
export class Recording {
  readonly drafts = new Drafts();
  readonly tradeFiles: TradeFile[] = [];
  /** By file, with rows of equal content grouped. */
  readonly activity: (readonly (readonly RecordedActivity[])[])[] = [];
  readonly profiles = new Map<string, Profile>();
  readonly positions: RecordedPosition[] = [];
  readonly boards: RecordedBoard[] = [];
  readonly books = new Map<string, { bids: readonly BookLevel[]; asks: readonly BookLevel[]; timestampMs: number }>();
  readonly prices = new Map<string, PricePoint[]>();
  readonly gameFrames: Record<string, unknown>[] = [];
  readonly tags = new Map<string, Tag>();
  /** Outcome indexes by `event slug, title, outcome`, for recordings that identify markets by text only. */
  readonly namedOutcomes = new Map<string, { conditionId: string; outcomeIndex: number }>();
  /** Rows that did not fit their file's shape. */
  unreadableRows = 0;
  /** Files of an unknown shape, which are not served. */
  readonly unserved: string[] = [];

  /** Records a wallet's latest names; an empty name never replaces a known one. */
  recordProfile(
    address: string,
    names: { name?: string; pseudonym?: string; bio?: string; profileImage?: string } = {},
  ): void {
    const known = this.profiles.get(address);
    this.profiles.set(address, {
      address,
      name: names.name || (known?.name ?? ""),
      pseudonym: names.pseudonym || (known?.pseudonym ?? ""),
      bio: names.bio || (known?.bio ?? ""),
      profileImage: names.profileImage || (known?.profileImage ?? ""),
      createdAtMs: null,
    });
  }

  addPrice(tokenId: string, point: PricePoint): void {
    const points = this.prices.get(tokenId) ?? [];
    if (points.length === 0) this.prices.set(tokenId, points);
    points.push(point);
  }
}

export const outcomeKey = (row: { eventSlug: string; title: string; outcome: string }): string =>
  [row.eventSlug, row.title, row.outcome].join("\n");
