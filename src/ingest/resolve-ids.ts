import type { Session } from "../db/client.ts";
import type { MarketHint, WalletHint } from "../ports/provider.ts";
import type { KnownIds, Learned, OutcomeRef } from "./known-ids.ts";

/** What a record names: a wallet, and the outcome token of a market. */
export interface Named {
  readonly wallet: WalletHint;
  readonly market: MarketHint;
  readonly tokenId: string;
  readonly outcomeIndex: number | null;
  readonly outcomeLabel: string | null;
}

export interface ResolvedIds {
  traderId(address: string): number;
  outcome(tokenId: string): OutcomeRef;
  readonly learned: Learned;
}

/** The row ids of everything the records name. Wallets, markets and outcomes seen for the first time become rows. */
export async function resolveIds(session: Session, named: readonly Named[], known: KnownIds): Promise<ResolvedIds> {
  const learned: Learned = {
    traders: await resolveTraders(session, unknownWallets(named, known)),
    outcomes: await resolveOutcomes(session, unknownOutcomes(named, known)),
  };
  return {
    learned,
    traderId: (address) => present(known.traderId(address) ?? learned.traders.get(address), `wallet ${address}`),
    outcome: (tokenId) => present(known.outcome(tokenId) ?? learned.outcomes.get(tokenId), `token ${tokenId}`),
  };
}

/** The row ids of wallets alone, for activity that names no outcome. */
export async function resolveTraders(session: Session, wallets: readonly WalletHint[]): Promise<Map<string, number>> {
  if (wallets.length === 0) return new Map();
  const { rows } = await session.query<{ id: string; address: string }>(
    `with input as (
       select * from unnest($1::text[], $2::text[], $3::text[]) as t(address, username, profile_image)
     ), written as (
       insert into traders (address, username, profile_image) select address, username, profile_image from input
       on conflict (address) do update
         set username = coalesce(excluded.username, traders.username),
             profile_image = coalesce(excluded.profile_image, traders.profile_image)
         where excluded.username is not null
           and (excluded.username, excluded.profile_image) is distinct from (traders.username, traders.profile_image)
       returning id, address
     )
     select id, address from written
     union all select traders.id, traders.address from traders join input using (address)`,
    [wallets.map((w) => w.address), wallets.map((w) => w.username), wallets.map((w) => w.profileImage)],
  );
  return new Map(rows.map((row) => [row.address, Number(row.id)]));
}

function unknownWallets(named: readonly Named[], known: KnownIds): WalletHint[] {
  const byAddress = new Map<string, WalletHint>();
  for (const { wallet } of named) {
    if (known.traderId(wallet.address) === undefined) byAddress.set(wallet.address, wallet);
  }
  return [...byAddress.values()];
}

function unknownOutcomes(named: readonly Named[], known: KnownIds): Named[] {
  const byToken = new Map<string, Named>();
  for (const row of named) {
    if (known.outcome(row.tokenId) !== undefined) continue;
    const earlier = byToken.get(row.tokenId);
    // A fresh row may not know its outcome yet while an older one of the same page does.
    if (earlier === undefined || earlier.outcomeIndex === null) byToken.set(row.tokenId, row);
  }
  return [...byToken.values()];
}

async function resolveOutcomes(session: Session, rows: readonly Named[]): Promise<Map<string, OutcomeRef>> {
  if (rows.length === 0) return new Map();
  await insertEventStubs(session, rows);
  await insertMarketStubs(session, rows);
  return insertOutcomeStubs(session, rows);
}

async function insertEventStubs(session: Session, rows: readonly Named[]): Promise<void> {
  const slugs = [...new Set(rows.flatMap((row) => row.market.eventSlug ?? []))];
  if (slugs.length === 0) return;
  await session.query(`insert into provider_events (slug) select unnest($1::text[]) on conflict (slug) do nothing`, [slugs]);
}

async function insertMarketStubs(session: Session, rows: readonly Named[]): Promise<void> {
  const markets = [...new Map(rows.map((row) => [row.market.conditionId, row.market])).values()];
  await session.query(
    `insert into markets (condition_id, title, slug, icon, event_id)
     select t.condition_id, t.title, t.slug, t.icon, e.id
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as t(condition_id, title, slug, icon, event_slug)
     left join provider_events e on e.slug = t.event_slug
     on conflict (condition_id) do nothing`,
    [
      markets.map((m) => m.conditionId),
      markets.map((m) => m.title),
      markets.map((m) => m.slug),
      markets.map((m) => m.icon),
      markets.map((m) => m.eventSlug),
    ],
  );
}

/** A trade may claim an index another token of its market holds; the provider's market object decides later, so it stays null here. */
async function insertOutcomeStubs(session: Session, rows: readonly Named[]): Promise<Map<string, OutcomeRef>> {
  const { rows: written } = await session.query<{ id: string; market_id: string; token_id: string }>(
    `with input as (
       select t.*, m.id as market_id,
         row_number() over (partition by m.id, t.outcome_index order by t.token_id) as claim
       from unnest($1::text[], $2::text[], $3::smallint[], $4::text[]) as t(token_id, condition_id, outcome_index, label)
       join markets m on m.condition_id = t.condition_id
     ), added as (
       insert into outcomes (market_id, token_id, outcome_index, label)
       select market_id, token_id,
         case when claim = 1 and not exists (
           select from outcomes o where o.market_id = input.market_id and o.outcome_index = input.outcome_index
         ) then outcome_index end,
         label
       from input
       on conflict (token_id) do nothing
       returning id, market_id, token_id
     )
     select id, market_id, token_id from added
     union all select o.id, o.market_id, o.token_id from outcomes o join input using (token_id)`,
    [
      rows.map((row) => row.tokenId),
      rows.map((row) => row.market.conditionId),
      rows.map((row) => row.outcomeIndex),
      rows.map((row) => row.outcomeLabel),
    ],
  );
  return new Map(written.map((row) => [row.token_id, { outcomeId: Number(row.id), marketId: Number(row.market_id) }]));
}

function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`no row for ${what}`);
  return value;
}
