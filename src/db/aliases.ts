import {
  accounts,
  apiKeys,
  events,
  exploreEntries,
  exportJobs,
  gradedMarkets,
  holderScans,
  integrations,
  largeTrades,
  ledgerEntries,
  markets,
  marketTexts,
  outboxEpoch,
  outboxReaders,
  outcomes,
  positions,
  providerEvents,
  providerFigures,
  traderActivity,
  traderDays,
  traderGrades,
  traderProfiles,
  traders,
  traderSyncs,
  traderTotals,
} from "./schema.ts";
import { alias } from "./sql.ts";

// The standard aliases of statements. Fragments of different files use them, so that they can be combined. A
// subselect or common table expression that passes a table's own columns on keeps the alias, and its columns
// are referenced through it.
export const a = alias(traderActivity, "a");
export const account = alias(accounts, "account");
export const currentEpoch = alias(outboxEpoch, "current");
export const e = alias(ledgerEntries, "e");
export const entry = alias(exploreEntries, "entry");
export const ev = alias(providerEvents, "ev");
export const exportJob = alias(exportJobs, "job");
export const g = alias(traderGrades, "g");
export const graded = alias(gradedMarkets, "graded");
export const i = alias(integrations, "i");
export const k = alias(apiKeys, "k");
export const l = alias(largeTrades, "l");
export const m = alias(markets, "m");
export const mt = alias(marketTexts, "mt");
/** The NO outcome of a market, beside `yes`. */
export const no = alias(outcomes, "no");
export const o = alias(outcomes, "o");
export const outboxEvent = alias(events, "e");
export const p = alias(positions, "p");
export const pf = alias(providerFigures, "pf");
export const reader = alias(outboxReaders, "reader");
export const s = alias(traderSyncs, "s");
export const scans = alias(holderScans, "scans");
export const t = alias(traders, "t");
export const td = alias(traderDays, "td");
export const totals = alias(traderTotals, "totals");
export const tp = alias(traderProfiles, "tp");
export const yes = alias(outcomes, "yes");
