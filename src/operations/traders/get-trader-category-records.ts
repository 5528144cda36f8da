import type { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/params.ts";
import { formatId } from "../../domain/ids.ts";
import { presentFloat } from "../../domain/present-float.ts";
import { walletCompleteness } from "../../domain/wallet-completeness.ts";
import { findCategoryRecords, type WalletRecords } from "../../queries/category-records.ts";
import { MIN_DECIDED_FOR_WIN_RATE } from "../../scoring/metrics/parameters.ts";
import { presentCompleteness } from "../trust.ts";
import { TraderCategoryRecords } from "./category-records-schemas.ts";
import { parseTraderRef, TraderSegment, unknownTrader } from "./trader-ref.ts";

export const getTraderCategoryRecords = defineOperation({
  kind: "single",
  id: "getTraderCategoryRecords",
  method: "get",
  path: "/api/v1/trader/{address}/categories",
  tag: "Traders",
  summary: "Read one wallet's record in each category.",
  description: "Won and decided markets by category, and by title within Esports.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {
    category: textParam().meta({
      description: "Only the record of this category, spelt as in the answer. Another name leaves `records` empty. All when left out.",
      example: "Esports",
    }),
  },
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_trader_categories",
  object: "trader_category_records",
  data: TraderCategoryRecords,
  async handle({ params, query }, { db }) {
    const wallet = await findCategoryRecords(db, parseTraderRef(params.address));
    if (wallet === null) throw unknownTrader();
    return { data: present(wallet, query.category) };
  },
});

function present(wallet: WalletRecords, category: string | null): z.input<typeof TraderCategoryRecords> {
  const { id, address, computed_at, records } = wallet;
  const all = records ?? [];
  return {
    id: formatId("trader", id),
    address,
    basis: "settled_markets_all_sizes",
    min_decided_for_win_rate: MIN_DECIDED_FOR_WIN_RATE,
    computed_at: all.length === 0 ? null : computed_at,
    completeness: presentCompleteness(walletCompleteness(wallet)),
    // Stored in the order they are shown in.
    records: all
      .filter((record) => category === null || record.category === category)
      .map(({ games, ...record }) => ({
        ...presentRecord(record),
        category: record.category,
        ...(games.length === 0
          ? {}
          : { games: games.map(({ game, series_slug, ...played }) => ({ ...presentRecord(played), game, series_slug })) }),
      })),
  };
}

type Counted = Pick<NonNullable<WalletRecords["records"]>[number], "wins" | "decided" | "win_rate" | "status">;

const presentRecord = ({ wins, decided, win_rate, status }: Counted): Counted => ({
  wins,
  decided,
  win_rate: presentFloat(win_rate, 4),
  status,
});
