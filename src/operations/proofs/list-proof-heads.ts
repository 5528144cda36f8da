import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { limitParam, numberParam } from "../../api/request/query-params.ts";
import { fromHex, toHex } from "../../domain/proofs/hex.ts";
import { consistencyProof } from "../../domain/proofs/merkle-tree.ts";
import { listArchiveHeads, type HeadPage } from "../../queries/proofs/archive-heads.ts";
import { presentHead } from "./present-head.ts";
import { ArchiveHead, ConsistencyProof } from "./schemas.ts";

/** More days than the archive will have, and within an integer of Postgres. */
const MAX_SEQUENCE = 1_000_000;

export const listProofHeads = defineOperation({
  kind: "list",
  id: "listProofHeads",
  method: "get",
  path: "/api/v1/proofs/heads",
  tag: "Proofs",
  summary: "List the signed heads of the archive.",
  description:
    "Lists the signed manifest of every archived UTC day, newest first. Each head names the one before it and has the " +
    "Merkle root over all earlier ones. With `from_sequence` and `to_sequence` the response also proves that the log " +
    "of heads only grew between the two.",
  access: "public",
  scope: null,
  plan: null,
  cost: 1,
  params: {},
  query: {
    limit: limitParam({ max: 100, default: 20 }),
    from_sequence: numberParam({ min: 1, max: MAX_SEQUENCE, integer: true }).meta({
      description: "Sequence of the older head of a consistency proof, from 1.",
      example: 1,
    }),
    to_sequence: numberParam({ min: 1, max: MAX_SEQUENCE, integer: true }).meta({
      description: "Sequence of the newer head of a consistency proof.",
      example: 2,
    }),
  },
  reasons: [],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: null,
  item: ArchiveHead,
  cursor: { prefix: "phd_", position: z.object({ sequence: z.int() }) },
  topLevel: {
    consistency: ConsistencyProof.nullable().meta({
      description: "The requested consistency proof; null when none was requested.",
    }),
  },
  async handle({ query: { limit, from_sequence: from, to_sequence: to }, cursor }, { db }) {
    if ((from === null) !== (to === null))
      throw invalid(from === null ? "from_sequence" : "to_sequence", "from_sequence and to_sequence belong together.");
    const found = await listArchiveHeads(db, { before: cursor?.sequence ?? null, limit, logUpTo: to });
    const rows = found.rows.slice(0, limit);
    const last = rows.at(-1);
    return {
      data: rows.map(presentHead),
      next: found.rows.length > limit && last !== undefined ? { sequence: last.sequence } : null,
      topLevel: { consistency: from === null || to === null ? null : proveConsistency(found, from, to) },
    };
  },
});

function proveConsistency({ log, newest }: HeadPage, from: number, to: number): z.input<typeof ConsistencyProof> {
  if (from > to) throw invalid("from_sequence", "from_sequence must not be greater than to_sequence.");
  if (log === null || newest === null || to > newest)
    throw invalid("to_sequence", "to_sequence is not the sequence of a head.");
  return { from_sequence: from, to_sequence: to, path: consistencyProof(log.map(fromHex), from).map(toHex) };
}

const invalid = (param: string, message: string): ApiError => new ApiError("invalid_query", { param, message });
