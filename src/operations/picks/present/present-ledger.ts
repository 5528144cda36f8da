import type { z } from "zod";
import {
  canonicalPayload,
  COMMITMENT_ALGORITHM,
  COMMITMENT_VERSION,
  commitmentInstant,
  isCommitmentTo,
  type CommitmentPayload,
  type OpenedCommitment,
} from "../../../domain/picks/commitment.ts";
import type { LedgerRow } from "../../../queries/picks/pick-ledger.ts";
import type { PickOfTheDayLedgerEntry } from "../schemas/pick-ledger.ts";
import { presentIdentity } from "./present-pick.ts";

type Entry = z.input<typeof PickOfTheDayLedgerEntry>;

/**
 * Presents a ledger row in its state.
 *
 * @throws Error for a row that contradicts itself: nothing of the ledger is then served
 */
export async function presentLedgerEntry(row: LedgerRow, webBaseUrl: string): Promise<Entry> {
  const identity = {
    pick_date: row.date,
    ...presentIdentity(row),
    permalink: `${webBaseUrl}/pick-of-the-day/${row.date}/${row.rank}`,
  };
  if (row.hash === null || row.sealed_at === null) return presentUncommitted(row, identity);
  if (Date.parse(row.sealed_at) >= Date.parse(row.kickoff)) throw inconsistent(row, "it was sealed after its kickoff");
  const commitment = {
    commitment_hash: row.hash,
    commitment_algo: COMMITMENT_ALGORITHM,
    sealed_at: row.sealed_at,
    commitment_version: COMMITMENT_VERSION,
  } as const;
  const { nonce, payload, outcome } = row;
  if (nonce === null || payload === null) {
    if (nonce !== null || payload !== null || outcome !== null) throw inconsistent(row, "it settled and is not opened");
    return { state: "sealed", ...identity, ...commitment };
  }
  if (outcome === null) throw inconsistent(row, "it is opened without an outcome");
  const own = payloadOf(row);
  const problem = await findProblem({ hash: row.hash, nonce, payload }, own);
  if (problem !== null) throw inconsistent(row, problem);
  return {
    state: "opened",
    ...identity,
    ...commitment,
    commitment_nonce: nonce,
    payload: own,
    kickoff: own.kickoff,
    outcome,
    resolved_at: row.resolved_at,
    matchup: row.matchup,
    category: row.category,
  };
}

/** More than a year of fifteen picks a day. */
const MAX_VERIFIED = 6_000;

/**
 * Commitments without a problem. A member is all that the check reads, so it never becomes wrong: a row that differs in
 * anything is checked again.
 */
const verified = new Set<string>();

/** @returns why an opened commitment is not one to the pick's values; null when it is */
async function findProblem(opened: OpenedCommitment, own: CommitmentPayload): Promise<string | null> {
  // Hashing every opened pick is most of the time of the ledger.
  const key = JSON.stringify([opened, own]);
  if (verified.has(key)) return null;
  if (canonicalPayload(own) !== opened.payload) return "its payload is of another pick";
  if (!(await isCommitmentTo(opened))) return "its hash does not match";
  if (verified.size >= MAX_VERIFIED) verified.clear();
  verified.add(key);
  return null;
}

function presentUncommitted(
  row: LedgerRow,
  identity: Pick<
    Extract<Entry, { state: "uncommitted" }>,
    keyof ReturnType<typeof presentIdentity> | "pick_date" | "permalink"
  >,
): Entry {
  const { outcome, resolved_at } = row;
  const settled =
    outcome === null ? { payload: null } : { payload: payloadOf(row), matchup: row.matchup, category: row.category };
  return {
    state: "uncommitted",
    ...identity,
    pre_commitment: true,
    outcome: outcome ?? "pending",
    resolved_at,
    ...settled,
  };
}

/** The keys are in the order of the canonical JSON. */
function payloadOf(row: LedgerRow): CommitmentPayload {
  const kickoff = commitmentInstant(new Date(row.kickoff));
  if (kickoff === null) throw inconsistent(row, "its kickoff is not a whole second");
  return {
    backed_price: row.price,
    condition_id: row.condition_id,
    kickoff,
    pick_date: row.date,
    pick_outcome_index: row.outcome_index,
    pick_outcome_label: row.outcome_label,
    pick_rank: row.rank,
    platform: "polymarket",
  };
}

const inconsistent = ({ id }: LedgerRow, problem: string): Error =>
  new Error(`the ledger row of pick ${id} is inconsistent: ${problem}`);
