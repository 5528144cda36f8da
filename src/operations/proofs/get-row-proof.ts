import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { proveRow } from "./prove-row.ts";
import { RowProof } from "./schemas.ts";

const ArchivedRowId = z
  .string()
  .regex(/^(wt|pe|pick)_[1-9][0-9]*$/, "expected a wt_, pe_ or pick_ id")
  .meta({
    description:
      "A large trade's wt_ id, a fill's pe_ id, or `pick_` and the pick_id of a pick's commitment. Any other text returns " +
      "400; a row that does not exist or is not archived yet returns 404.",
    example: "wt_81",
  });

export const getRowProof = defineOperation({
  kind: "single",
  id: "getRowProof",
  method: "get",
  path: "/api/v1/proofs/rows/{row_id}",
  tag: "Proofs",
  summary: "Prove that a row is in the archive.",
  description:
    "Returns the row of a large trade, a fill or a pick's commitment as it was hashed, its audit path, and the signed " +
    "head of the day on which it was recorded. A day is archived some hours after its end; until then its rows return 404.",
  access: "public",
  scope: null,
  plan: null,
  cost: 1,
  params: { row_id: ArchivedRowId },
  query: {},
  reasons: ["not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: null,
  object: "archive_row_proof",
  data: RowProof,
  handle: async ({ params }, { db }) => ({ data: await proveRow(db, params.row_id) }),
});
