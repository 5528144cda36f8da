import type { Operation } from "../../api/operation.ts";
import { getRowProof } from "./get-row-proof.ts";
import { listProofHeads } from "./list-proof-heads.ts";

export const PROOF_OPERATIONS: readonly Operation[] = [listProofHeads, getRowProof];
