import path from "node:path";
import { z } from "zod";
import { WalletAddress } from "../../../src/providers/polymarket/payloads/fields.ts";
import type { ProviderTotal } from "../recording-facts.ts";
import { AnyText } from "./fields.ts";
import { defineReader } from "./reader.ts";

/**
 * Figures of the provider about whole wallets. No recording has all fills of such a wallet, so they are never
 * compared.
 */

const Money = z.number();

const INCOMPLETE_FILLS = "the fills of the wallet's whole life are not recorded";

/** Lifetime and 30-day profit by wallet. */
export const lifetimeProfits = defineReader({
  shape: "lifetime profits",
  has: ["wallet_address", "lifetime_profit_usd", "lifetime_volume_usd"],
  schema: z.object({
    wallet_address: WalletAddress,
    lifetime_profit_usd: Money,
    profit_30d_usd: Money,
    lifetime_volume_usd: Money,
  }),
  take(facts, rows, { name }) {
    for (const { row } of rows) {
      // A profit of exactly 0.0 with a volume of hundreds of thousands is an unfilled default.
      const isUnfilled = row.lifetime_profit_usd === 0 && row.lifetime_volume_usd > 0;
      facts.totals.push({
        file: name,
        wallet: row.wallet_address,
        figure: "lifetime profit",
        usd: isUnfilled ? null : row.lifetime_profit_usd,
        why: isUnfilled ? "0 with a volume: a default, not a figure" : INCOMPLETE_FILLS,
        page: null,
      });
    }
  },
});

const OptionalMoney = Money.nullish().transform((value) => value ?? null);

/** P&L read from profile pages, in the formats of several collectors. */
export const profilePages = defineReader({
  shape: "profile pages",
  has: ["file", "kind", "captured_at", "wallet"],
  schema: z
    .object({
      kind: z.string(),
      wallet: WalletAddress,
      uiPnl: OptionalMoney,
      ui_pnl: OptionalMoney,
      ui_net: OptionalMoney,
      gain: OptionalMoney,
      ui_gain: OptionalMoney,
      loss: OptionalMoney,
      ui_loss: OptionalMoney,
    })
    .refine((row) => (row.uiPnl ?? row.ui_pnl ?? row.ui_net) !== null, "expected a P&L"),
  take(facts, rows, { name }) {
    for (const { row } of rows) {
      const net = row.uiPnl ?? row.ui_pnl ?? row.ui_net;
      const gain = row.gain ?? row.ui_gain;
      const loss = row.loss ?? row.ui_loss;
      // One collector's list has 0 for every wallet that it named only by a note ("Smart Money"); five of
      // them have profits elsewhere.
      const isUnfilled = net === 0 && gain === null && loss === null;
      facts.totals.push({
        file: name,
        wallet: row.wallet,
        figure: `profile page (${row.kind})`,
        usd: isUnfilled ? null : net,
        why: isUnfilled ? "0 without gain and loss: a placeholder, not a figure" : INCOMPLETE_FILLS,
        page: net === null || gain === null || loss === null ? null : { net, gain, loss },
      });
    }
  },
});

/** Leaderboards polled by third parties: one row for each wallet and poll. */
export const polledBoards = defineReader({
  shape: "polled leaderboard",
  has: ["timestamp_utc", "rank_combined", "address", "pnl", "vol"],
  schema: z.object({
    timestamp_utc: z.iso.datetime({ offset: true }),
    address: WalletAddress,
    pnl: Money,
    vol: Money,
    timeframe: AnyText,
  }),
  take(facts, rows, { name }) {
    for (const { row } of rows) {
      const window = row.timeframe === "" ? "window not recorded" : row.timeframe;
      facts.totals.push(boardTotal(name, row.address, `leaderboard P&L (${window})`, row.pnl));
    }
  },
});

/** A response of v1 `/leaderboard`; only the file's name has its window. */
export const boardResponses = defineReader({
  shape: "v1 leaderboard",
  has: ["rank", "proxyWallet", "vol", "pnl"],
  schema: z.object({ rank: z.string(), proxyWallet: WalletAddress, vol: Money, pnl: Money }),
  take(facts, rows, { name }) {
    const window = /\b(day|week|month|all)\b/.exec(path.posix.basename(name))?.[1] ?? "window not recorded";
    for (const { row } of rows)
      facts.totals.push(boardTotal(name, row.proxyWallet, `leaderboard P&L (${window})`, row.pnl));
  },
});

const boardTotal = (file: string, wallet: string, figure: string, usd: number): ProviderTotal => ({
  file,
  wallet,
  figure,
  usd,
  why: "a change of marked equity: needs every position and its mark at both ends",
  page: null,
});

/** A response of v1 `/value`: the value of a wallet's open positions. */
export const walletValues = defineReader({
  shape: "v1 value",
  has: ["user", "value"],
  lacks: ["order_hash"],
  schema: z.object({ user: WalletAddress, value: Money }),
  take(facts, rows, { name }) {
    for (const { row } of rows) {
      facts.totals.push({
        file: name,
        wallet: row.user,
        figure: "value of open positions",
        usd: row.value,
        why: INCOMPLETE_FILLS,
        page: null,
      });
    }
  },
});
