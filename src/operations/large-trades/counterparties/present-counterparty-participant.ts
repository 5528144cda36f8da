import type { Counterparty } from "../../../domain/trades/match-counterparties.ts";
import { formatId } from "../../../domain/ids.ts";
import { formatMicro } from "../../../domain/money.ts";
import type { ParticipantRow } from "../../../queries/trades/counterparties.ts";
import type { CounterpartyParticipantBody } from "./schemas.ts";

/** One participant of an execution, with the current data of the trader. */
export function presentCounterpartyParticipant(
  part: Counterparty,
  row: ParticipantRow | undefined,
): CounterpartyParticipantBody {
  return {
    counterparty_key: part.wallet,
    execution_wallet: part.wallet,
    ...(row === undefined ? { identity_status: "unavailable" } : presentIdentity(row)),
    maker_fill_count: part.makerFillCount,
    filled_shares: formatMicro(part.filledSharesMicro),
    filled_usdc: formatMicro(part.filledUsdMicro),
    share_pct: part.sharePct,
    match_breakdown: part.matches.map((match) => ({
      match_type: match.matchType,
      maker_fill_count: match.makerFillCount,
      filled_shares: formatMicro(match.filledSharesMicro),
    })),
  };
}

function presentIdentity(row: ParticipantRow) {
  const { username } = row;
  return {
    identity_status: "resolved" as const,
    resolved_user_id: formatId("trader", row.trader_id),
    ...(username === null ? {} : { display_name: username }),
    ...(row.grade === null ? {} : { grade: row.grade }),
    ...(row.last_at === null ? {} : { last_traded_at: row.last_at }),
    ...(row.tier === "cold"
      ? {}
      : { profile_segment: username !== null && row.is_name_unique ? `@${username}` : row.address }),
  };
}
