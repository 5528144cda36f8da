/*
 * The tables, one file per subject. The sign-in tables are separate (`sign-in-tables.ts`): only the website
 * loads them.
 */
export * from "./schema/accounts.ts";
export * from "./schema/archive.ts";
export * from "./schema/combos.ts";
export * from "./schema/edge.ts";
export * from "./schema/exports.ts";
export * from "./schema/games.ts";
export * from "./schema/holders.ts";
export * from "./schema/ingest.ts";
export * from "./schema/ledger.ts";
export * from "./schema/lists.ts";
export * from "./schema/markets.ts";
export * from "./schema/oauth.ts";
export * from "./schema/outbox.ts";
export * from "./schema/picks.ts";
export * from "./schema/record.ts";
export * from "./schema/reports.ts";
export * from "./schema/signals.ts";
export * from "./schema/skill.ts";
export * from "./schema/traders.ts";
export * from "./schema/watchlists.ts";
export * from "./schema/webhooks.ts";
export * from "./schema/work-leases.ts";
