import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import type { ArchiveDatasetName } from "../../domain/proofs/archive-datasets.ts";
import { fromHex, toHex } from "../../domain/proofs/hex.ts";
import { inclusionProof, rootOfPath } from "../../domain/proofs/merkle-tree.ts";
import { BLOCK_ROWS, canonicalRow, hashRow } from "../../domain/proofs/row-leaf.ts";
import { findRowProof, type ProofRow } from "../../queries/proofs/row-proof.ts";
import { parseRowId } from "../row-id.ts";
import { manifestOf, presentHead } from "./present-head.ts";
import { RowProof } from "./schemas.ts";

/** The datasets whose rows have an id in the API, by its prefix. */
const DATASETS: Readonly<Record<string, ArchiveDatasetName>> = {
  wt: "large_trades",
  pe: "fills",
  pick: "pick_commitments",
};

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
  async handle({ params: { row_id: ref } }, { db }) {
    const dataset = DATASETS[ref.slice(0, ref.indexOf("_"))];
    const id = parseRowId(ref);
    const found = dataset === undefined || id === null ? null : await findRowProof(db, dataset, id);
    if (dataset === undefined || id === null || found === null) throw absent(`There is no row ${ref}.`);
    return { data: { id: ref, dataset, ...prove(dataset, id, found) } };
  },
});

function prove(dataset: ArchiveDatasetName, id: number, { day, block, rows, roots, head }: ProofRow) {
  if (head === null || block === null || rows === null || roots === null)
    throw absent(`The day of this row, ${day}, is not archived yet.`);
  const leaves = rows.map((row) => hashRow(dataset, row));
  const index = rows.findIndex(([, own]) => own === String(id));
  const [row, leaf] = [rows[index], leaves[index]];
  const stored = manifestOf(head).datasets.find(({ name }) => name === dataset);
  // Block and rows are of one snapshot; a row that is missing has changed since it was archived.
  if (row === undefined || leaf === undefined || stored === undefined)
    throw new Error(`the archived block of ${dataset} ${id} does not have it`);
  // A block's root is a node of the day's tree, so both paths together are the path of the leaf.
  const path = [...inclusionProof(leaves, index), ...inclusionProof(roots.map(fromHex), block)];
  const leafIndex = block * BLOCK_ROWS + index;
  const root = rootOfPath(leaf, leafIndex, stored.rows, path);
  if (root === null || toHex(root) !== stored.merkle_root)
    throw new Error(`${dataset} ${id} differs from its archived row`);
  return {
    row: canonicalRow(dataset, row),
    leaf_hash: toHex(leaf),
    leaf_index: leafIndex,
    tree_size: stored.rows,
    path: path.map(toHex),
    merkle_root: stored.merkle_root,
    head: presentHead(head),
  };
}

const absent = (message: string): ApiError => new ApiError("not_found", { param: "row_id", message });
