import { decodePositionId } from "../../../../domain/combos/position-id.ts";
import type {
  ProviderCombo,
  ProviderComboEvent,
  ProviderComboLeg,
  ProviderComboPosition,
} from "../../../../platform/provider.ts";
import { InvalidRecord } from "../../payloads/parse-provider-records.ts";
import type { ComboEventRow, ComboLegRow, ComboPositionRow } from "../../payloads/traders/combo.ts";

/**
 * @param address the requested address
 * @throws InvalidRecord for a row of another address, or whose ids contradict each other
 */
export function toComboPosition(row: ComboPositionRow, address: string): ProviderComboPosition {
  requireOwner(row.proxy_wallet, address);
  requirePosition(row);
  if (row.legs_total !== null && row.legs_total !== row.legs.length && row.legs.length > 0)
    throw new InvalidRecord(`legs: ${row.legs.length} of ${row.legs_total}`);
  return { combo: toCombo(row) };
}

/**
 * @param address the requested address
 * @throws InvalidRecord for a row of another address, or whose ids contradict each other
 */
export function toComboEvent(row: ComboEventRow, address: string): ProviderComboEvent {
  requireOwner(row.proxy_wallet, address);
  requirePosition(row);
  const [txHash = "", logIndex = ""] = row.id.toLowerCase().split("-");
  if (txHash !== row.transaction_hash) throw new InvalidRecord("id: expected the row's transaction hash");
  const position = row.combo_position_id === null ? null : decodePositionId(row.combo_position_id);
  return {
    combo: toCombo(row),
    providerId: row.id.toLowerCase(),
    kind: row.type,
    outcomeIndex: position === null ? null : position.outcomeIndex === 0 ? 0 : 1,
    amountMicro: row.amount_usdc,
    payoutMicro: row.payout_usdc,
    sharesMicro: row.size,
    txHash,
    blockNumber: row.block_number,
    logIndex: Number(logIndex),
    happenedAt: row.timestamp,
  };
}

function requireOwner(owner: string, address: string): void {
  if (owner !== address) throw new InvalidRecord("proxy_wallet: expected the requested address");
}

function requirePosition(row: Pick<ComboEventRow, "combo_condition_id" | "combo_position_id">): void {
  if (row.combo_position_id === null) return;
  if (decodePositionId(row.combo_position_id)?.conditionId !== row.combo_condition_id)
    throw new InvalidRecord("combo_position_id: expected a position of the row's condition");
}

/** Legs in the provider's order. */
function toCombo(row: Pick<ComboEventRow, "combo_condition_id" | "legs">): ProviderCombo {
  const legs = row.legs.toSorted((a, b) => a.leg_index - b.leg_index).map(toLeg);
  if (new Set(legs.map(({ positionId }) => positionId)).size !== legs.length)
    throw new InvalidRecord("legs: one position twice");
  return { conditionId: row.combo_condition_id, legs };
}

function toLeg(row: ComboLegRow): ProviderComboLeg {
  const position = decodePositionId(row.leg_position_id);
  if (position === null || position.outcomeIndex > 1)
    throw new InvalidRecord("leg_position_id: expected a YES or NO position");
  const { market } = row;
  return {
    positionId: row.leg_position_id,
    moduleId: position.moduleId,
    outcomeIndex: position.outcomeIndex,
    conditionId: row.leg_condition_id,
    status: row.leg_status,
    resolvedAt: row.leg_resolved_at,
    price: row.leg_current_price,
    market: {
      marketId: market?.market_id ?? null,
      title: market?.question ?? market?.title ?? null,
      slug: market?.slug ?? null,
      eventSlug: market?.event?.event_slug ?? null,
      outcomeLabel: row.leg_outcome_label ?? market?.outcome ?? null,
      image: market?.image_url ?? null,
      category: market?.category ?? null,
      tags: market?.tags ?? [],
    },
  };
}
