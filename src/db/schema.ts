/*
 * The tables, one file per subject, in folders by area. The sign-in tables are separate
 * (`sign-in-tables.ts`): only the website loads them.
 */
export * from "./schema/accounts/accounts.ts";
export * from "./schema/accounts/oauth.ts";
export * from "./schema/accounts/watchlists.ts";
export * from "./schema/events/outbox.ts";
export * from "./schema/events/webhooks.ts";
export * from "./schema/files/archive.ts";
export * from "./schema/files/exports.ts";
export * from "./schema/lists/edge.ts";
export * from "./schema/lists/lists.ts";
export * from "./schema/markets/combos.ts";
export * from "./schema/markets/games.ts";
export * from "./schema/markets/holders.ts";
export * from "./schema/markets/markets.ts";
export * from "./schema/picks/picks.ts";
export * from "./schema/picks/record.ts";
export * from "./schema/system/health.ts";
export * from "./schema/system/ingest.ts";
export * from "./schema/system/reports.ts";
export * from "./schema/system/work-leases.ts";
export * from "./schema/traders/ledger.ts";
export * from "./schema/traders/signals.ts";
export * from "./schema/traders/skill.ts";
export * from "./schema/traders/traders.ts";
