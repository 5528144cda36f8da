import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import type { ArchiveDatasetName } from "../../domain/proofs/archive-datasets.ts";
import { fromHex, toHex } from "../../domain/proofs/hex.ts";
import { inclusionProof, rootOfPath } from "../../domain/proofs/merkle-tree.ts";
import { BLOCK_ROWS, canonicalRow, hashRow } from "../../domain/proofs/row-leaf.ts";
import { findRowProof, type ProofRow } from "../../queries/proofs/row-proof.ts";
import { parseRowId } from "../row-id.ts";
import { manifestOf, presentHead } from "./present-head.ts";
import type { RowProof } from "./schemas.ts";

/** The datasets whose rows have an id in the API, by its prefix. */
const DATASETS: Readonly<Record<string, ArchiveDatasetName>> = {
  wt: "large_trades",
  pe: "fills",
  pick: "pick_commitments",
};

/**
 * Proves a row by its public id.
 *
 * @throws ApiError for a row that does not exist or whose day is not archived
 * @throws Error for a row that differs from its archived one: no proof is then served
 */
export async function proveRow(db: OperationContext["db"], ref: string): Promise<z.input<typeof RowProof>> {
  const dataset = DATASETS[ref.slice(0, ref.indexOf("_"))];
  const id = parseRowId(ref);
  const found = dataset === undefined || id === null ? null : await findRowProof(db, dataset, id);
  if (dataset === undefined || id === null || found === null) throw absent(`There is no row ${ref}.`);
  return { id: ref, dataset, ...prove(dataset, id, found) };
}

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
