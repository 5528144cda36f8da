import type { StoredBacking } from "../../db/schema.ts";
import type { BackedSide } from "../../scoring/picks/select-picks.ts";
import type { StoredHolder } from "./read-candidates.ts";

/** The holders behind a side as they are stored with a pick. */
export const storedBacking = (side: BackedSide<StoredHolder>): StoredBacking => ({
  top_grade: side.topGrade,
  backed_micro: String(side.backedMicro),
  opposed_micro: String(side.opposedMicro),
  holders: side.holders.map(({ traderId, grade, sharesMicro }) => ({
    trader_id: traderId,
    grade,
    shares_micro: String(sharesMicro[side.outcomeIndex] - sharesMicro[side.outcomeIndex === 0 ? 1 : 0]),
  })),
});
