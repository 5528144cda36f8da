import { CountData } from "../count-data.ts";
import { defineEvent } from "../define-event.ts";

export const largePositionsUpdated = defineEvent({
  type: "large_positions_updated",
  spellings: ["large_positions_updated"],
  frame: "large_positions_updated",
  access: "public",
  isLive: true,
  firesWhen: "Positions have been added to the list of large positions; the event contains their number.",
  payload: CountData,
});
