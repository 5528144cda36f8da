import { z } from "zod";
import { defineEvent } from "../define-event.ts";
import { grade, traderId, wallet } from "../payload-fields.ts";

export const walletGradeChanged = defineEvent({
  type: "wallet_grade_changed",
  spellings: ["wallet_grade_changed"],
  frame: "wallet_grade_changed",
  access: "paid",
  isLive: true,
  firesWhen: "A trader's published letter grade has changed from one letter to another.",
  payload: z
    .object({
      wallet,
      trader_id: traderId,
      old_grade: grade.meta({ description: "The previous grade.", example: "B" }),
      new_grade: grade.meta({ description: "The new grade.", example: "A" }),
      direction: z.enum(["upgrade", "downgrade"]).meta({
        description: "`upgrade` when the new grade is better than the old one, else `downgrade`.",
        example: "upgrade",
      }),
      final_score: z
        .number()
        .optional()
        .meta({ description: "The score behind the new grade, 0 to 100.", example: 71.4 }),
      date: z.iso.date().meta({ description: "Date of the change, UTC.", example: "2026-11-20" }),
      grade_floor: grade.meta({
        description:
          "The worse of the two grades. A list with this minimum grade contains the trader before or after the change.",
        example: "B",
      }),
    })
    .meta({ id: "WebhookWalletGradeChangedData", description: "A change of a trader's published grade." }),
  facets: { grade: "new_grade" },
});
