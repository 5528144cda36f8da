import { z } from "zod";
import { decodePositionId, isComboPosition } from "../../../../domain/combos/position-id.ts";
import { COMBO_EVENT_TYPES } from "../../../../platform/provider.ts";
import {
  AmountMicro,
  ConditionId,
  EpochSeconds,
  Id,
  optional,
  OptionalDate,
  OptionalProbability,
  OptionalText,
  TokenId,
  TxHash,
  WalletAddress,
} from "../fields.ts";

const Tags = z
  .array(z.unknown())
  .nullish()
  .transform((tags) =>
    (tags ?? []).flatMap((tag) => OptionalText.safeParse(tag).data ?? TagObject.safeParse(tag).data?.slug ?? []),
  );

/** The recorded rows have empty lists of tags, so both forms of the provider's other routes are read. */
const TagObject = z.object({ slug: OptionalText });

/** The market of a leg, as far as the combo rows describe it. */
const LegMarket = z.object({
  market_id: optional(Id),
  slug: OptionalText,
  title: OptionalText,
  question: OptionalText,
  outcome: OptionalText,
  image_url: OptionalText,
  category: OptionalText,
  tags: Tags,
  event: z
    .object({ event_slug: OptionalText })
    .nullish()
    .transform((event) => event ?? null),
});

const LegPosition = TokenId.refine((id) => decodePositionId(id) !== null, "expected a position id");

/** A leg, on a position and on an event alike. Its condition id may be of either protocol. */
export const ComboLegRow = z.object({
  leg_index: z.number().int().min(0).max(255),
  leg_position_id: LegPosition,
  leg_condition_id: ConditionId,
  leg_outcome_label: OptionalText,
  leg_status: OptionalText,
  leg_resolved_at: OptionalDate,
  leg_current_price: OptionalProbability,
  market: LegMarket.nullish().transform((market) => market ?? null),
});

export type ComboLegRow = z.output<typeof ComboLegRow>;

const ComboPosition = TokenId.refine((id) => {
  const decoded = decodePositionId(id);
  return decoded !== null && isComboPosition(decoded);
}, "expected the position id of a combo");

/** The provider allows 50 legs. */
const Legs = z.array(ComboLegRow).max(50);

/** A row of `/v2/positions/combos`. */
export const ComboPositionRow = z.object({
  proxy_wallet: WalletAddress,
  combo_condition_id: ConditionId,
  combo_position_id: ComboPosition,
  legs_total: optional(z.number().int().min(1).max(50)),
  legs: Legs,
});

export type ComboPositionRow = z.output<typeof ComboPositionRow>;

/** A row of `/v2/activity/combos`. Bare sizes are shares on every route; no recorded row has one. */
export const ComboEventRow = z.object({
  id: z.string().regex(/^0x[0-9a-fA-F]{64}-\d{1,9}$/, "expected a transaction hash and a log index"),
  type: z.enum(COMBO_EVENT_TYPES),
  proxy_wallet: WalletAddress,
  combo_condition_id: ConditionId,
  combo_position_id: optional(ComboPosition),
  amount_usdc: optional(AmountMicro),
  payout_usdc: optional(AmountMicro),
  size: optional(AmountMicro),
  block_number: z.number().int().positive(),
  timestamp: EpochSeconds,
  transaction_hash: TxHash,
  legs: Legs,
});

export type ComboEventRow = z.output<typeof ComboEventRow>;
