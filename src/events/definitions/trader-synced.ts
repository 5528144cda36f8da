import { z } from "zod";
import { defineEvent } from "../define-event.ts";
import { traderId, wallet } from "../payload-fields.ts";

export const traderSynced = defineEvent({
  type: "trader_synced",
  spellings: ["trader_synced", "whale_trader_synced"],
  frame: "trader_synced",
  access: "public",
  isLive: true,
  firesWhen: "The whole activity of a followed trader has been read for the first time.",
  payload: z
    .object({ trader_id: traderId, wallet })
    .meta({ id: "WebhookTraderSyncedData", description: "A trader whose complete activity is now recorded." }),
});
