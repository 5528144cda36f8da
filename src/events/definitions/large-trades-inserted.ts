import { CountData } from "../count-data.ts";
import { defineEvent } from "../define-event.ts";

export const largeTradesInserted = defineEvent({
  type: "large_trades_inserted",
  spellings: ["large_trades_inserted", "whale_trades_inserted"],
  frame: "WhaleTradesInserted",
  access: "paid",
  isLive: true,
  firesWhen: "Large trades have been recorded together; the event contains their number.",
  payload: CountData,
});
