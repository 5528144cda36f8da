import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findPickLedgerEntry } from "../../queries/picks/pick-ledger.ts";
import { parseRowId } from "../row-id.ts";
import { presentLedgerEntry } from "./present/present-ledger.ts";
import { PickOfTheDayLedgerEntry } from "./schemas/pick-ledger.ts";

const PickIdParam = z
  .string()
  .regex(/^[1-9][0-9]*$/, "expected an integer")
  .meta({ description: "The pick's id. Any other text returns 400; an unknown pick returns 404.", example: "451" });

export const getPickOfTheDayLedgerEntry = defineOperation({
  kind: "single",
  id: "getPickOfTheDayLedgerEntry",
  method: "get",
  path: "/api/v1/pick-of-the-day/ledger/{pick_id}",
  tag: "Picks",
  summary: "Read one entry of the commitment ledger.",
  description: "Returns the entry of one published pick, as in the ledger. A pick that is not published returns 404.",
  access: "public",
  scope: null,
  plan: null,
  cost: 1,
  params: { pick_id: PickIdParam },
  query: {},
  reasons: ["not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: null,
  object: "pick_of_the_day_ledger_entry",
  data: PickOfTheDayLedgerEntry,
  async handle({ params }, { db, config }) {
    const id = parseRowId(params.pick_id);
    const row = id === null ? null : await findPickLedgerEntry(db, id);
    if (row === null)
      throw new ApiError("not_found", { param: "pick_id", message: `There is no published pick ${params.pick_id}.` });
    return { data: await presentLedgerEntry(row, config.webBaseUrl) };
  },
});
