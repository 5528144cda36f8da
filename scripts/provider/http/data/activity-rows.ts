import { conditionIdOf } from "../../activity-log.ts";
import type { ActivityRecord } from "../../provider-world.ts";

/** The provider's value for an unknown outcome. */
export const UNKNOWN_OUTCOME = 999;

const enriched = (movement: ActivityRecord, now: number) => movement.enrichedAt <= now;

const outcomeIndexOf = (movement: ActivityRecord, now: number) =>
  movement.outcomeIndex !== null && enriched(movement, now) ? movement.outcomeIndex : UNKNOWN_OUTCOME;

const outcomeOf = (movement: ActivityRecord) =>
  movement.market === null || movement.outcomeIndex === null
    ? ""
    : (movement.market.outcomes[movement.outcomeIndex] ?? "");

const titleOf = (movement: ActivityRecord) => movement.market?.question ?? movement.combo?.title ?? "";

/** A row of `/v2/trades`. @param now epoch seconds */
export function presentTrade(movement: ActivityRecord, now: number): Record<string, unknown> {
  const { wallet, market } = movement;
  return {
    proxy_wallet: wallet.address,
    side: movement.side,
    token_id: movement.tokenId,
    condition_id: conditionIdOf(movement),
    size: movement.size,
    price: movement.price,
    timestamp: movement.timestamp,
    title: titleOf(movement),
    slug: market?.slug ?? "",
    icon: market?.icon ?? "",
    event_slug: market !== null && enriched(movement, now) ? market.event.slug : "",
    outcome: outcomeOf(movement),
    outcome_index: outcomeIndexOf(movement, now),
    name: wallet.name,
    pseudonym: wallet.pseudonym,
    bio: wallet.bio,
    profile_image: wallet.profileImage,
    profile_image_optimized: "",
    transaction_hash: movement.transactionHash,
  };
}

/** A row of `/v2/activity`. @param now epoch seconds */
export function presentActivity(movement: ActivityRecord, now: number): Record<string, unknown> {
  return {
    ...presentTrade(movement, now),
    type: movement.type,
    usdc_size: movement.usdcSize,
    ...(movement.combo === null ? {} : { is_combo: true }),
  };
}

/** The payload of a live trade frame. @param now epoch seconds */
export function presentTradePayload(movement: ActivityRecord, now: number): Record<string, unknown> {
  const { wallet, market } = movement;
  return {
    asset: movement.tokenId,
    bio: wallet.bio,
    conditionId: conditionIdOf(movement),
    eventSlug: market !== null && enriched(movement, now) ? market.event.slug : "",
    icon: market?.icon ?? "",
    name: wallet.name,
    outcome: outcomeOf(movement),
    outcomeIndex: outcomeIndexOf(movement, now),
    price: movement.price,
    profileImage: wallet.profileImage,
    proxyWallet: checksumCase(wallet.address),
    pseudonym: wallet.pseudonym,
    side: movement.side,
    size: movement.size,
    slug: market?.slug ?? "",
    // The live payload's time is that of the match, about a second before the block.
    timestamp: movement.timestamp - 1,
    title: titleOf(movement),
    transactionHash: movement.transactionHash,
  };
}

/**
 * Mixed case like a checksummed address. Node has no Keccak-256, so the letters differ from EIP-55. Readers
 * have to compare lower case in any case, and this forces them to.
 */
function checksumCase(address: string): string {
  return address.replace(/[a-f]/g, (letter, index: number) => (index % 3 === 0 ? letter : letter.toUpperCase()));
}
