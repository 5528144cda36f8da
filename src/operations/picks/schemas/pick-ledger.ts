import { z } from "zod";
import { COMMITMENT_ALGORITHM } from "../../../domain/picks/commitment.ts";
import { EXAMPLE_CONDITION_ID } from "../../shared-fields.ts";
import { category, count, instant, matchup, PICK_IDENTITY, pickDate, pickRank, text } from "./pick-fields.ts";

const hash = text("SHA-256 as 64 lowercase hex digits.", "4".repeat(64));
const algorithm = z
  .literal(COMMITMENT_ALGORITHM)
  .meta({ description: "How the hash is computed.", example: COMMITMENT_ALGORITHM });
const sealedAt = instant("When the pick was sealed: before its kickoff.", "2026-11-20T18:00:04.120Z");
const version = z
  .int()
  .meta({ description: "Version of the payload. 1: the eight keys, serialized as served.", example: 1 });
const permalink = text("Page of the pick on the website.", "https://example.test/pick-of-the-day/2026-11-20/1");
const IDENTITY = { pick_date: pickDate, pick_rank: pickRank, ...PICK_IDENTITY, permalink };

const PAYLOAD = {
  backed_price: text("Backed price with its stored decimals.", "0.545000"),
  condition_id: text("The market's condition id.", EXAMPLE_CONDITION_ID),
  kickoff: text("Kickoff in whole seconds.", "2026-11-20T19:00:00Z"),
  pick_date: pickDate,
  pick_outcome_index: z.int().min(0).max(1).meta({ description: "Index of the backed outcome.", example: 0 }),
  pick_outcome_label: text("The backed side.", "Portugal"),
  pick_rank: pickRank,
  platform: z.literal("polymarket").meta({ description: "Platform of the market.", example: "polymarket" }),
};

const CommitmentPayload = z.object(PAYLOAD).meta({
  id: "PickOfTheDayCommitmentPayload",
  description: "What was committed to. Its compact JSON in this order of keys, as UTF-8, is what was hashed.",
});
const UncommittedPayload = z
  .object(PAYLOAD)
  .meta({ id: "PickOfTheDayUncommittedPayload", description: "The pick's values. They were never hashed." });

const SealedEntry = z
  .object({
    state: z.literal("sealed").meta({ description: "sealed: published and not settled.", example: "sealed" }),
    ...IDENTITY,
    commitment_hash: hash,
    commitment_algo: algorithm,
    sealed_at: sealedAt,
    commitment_version: version,
  })
  .meta({ id: "PickOfTheDayLedgerSealedEntry", description: "A commitment that is not opened." });

const OpenedEntry = z
  .object({
    state: z.literal("opened").meta({ description: "opened: settled, with its payload and nonce.", example: "opened" }),
    ...IDENTITY,
    commitment_hash: hash,
    commitment_nonce: text("32 random bytes as 64 lowercase hex digits.", "0b".repeat(32)),
    commitment_algo: algorithm,
    sealed_at: sealedAt,
    commitment_version: version,
    payload: CommitmentPayload,
    kickoff: PAYLOAD.kickoff,
    outcome: z.enum(["win", "loss", "void"]).meta({ description: "Result of the pick.", example: "win" }),
    resolved_at: z.iso.datetime().nullable().meta({
      description: "When the result was last recorded; a correction moves it. Never null here.",
      example: "2026-11-20T21:10:00.000Z",
    }),
    matchup,
    category,
  })
  .meta({ id: "PickOfTheDayLedgerOpenedEntry", description: "A commitment that anyone can check." });

const UncommittedEntry = z
  .object({
    state: z
      .literal("uncommitted")
      .meta({ description: "uncommitted: it reached its kickoff without a commitment.", example: "uncommitted" }),
    ...IDENTITY,
    pre_commitment: z.literal(true).meta({ description: "Always true: there is no commitment.", example: true }),
    outcome: z
      .enum(["pending", "win", "loss", "void"])
      .meta({ description: "Result of the pick.", example: "pending" }),
    resolved_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the result was last recorded; null while pending.", example: null }),
    payload: UncommittedPayload.nullable().meta({
      description: "The pick's values; null while it is pending. They prove nothing about when it was made.",
    }),
    matchup: matchup
      .optional()
      .meta({ description: "The game; left out while pending.", example: "Portugal vs. Uzbekistan" }),
    category: category
      .optional()
      .meta({ description: "Sport of the game; left out while pending.", example: "Soccer" }),
  })
  .meta({ id: "PickOfTheDayLedgerUncommittedEntry", description: "A pick without a commitment." });

export const PickOfTheDayLedgerEntry = z
  .discriminatedUnion("state", [SealedEntry, OpenedEntry, UncommittedEntry])
  .meta({ id: "PickOfTheDayLedgerEntry", description: "A published pick in its state." });

export const PickOfTheDayLedger = z
  .object({
    entries: z.array(PickOfTheDayLedgerEntry).meta({ description: "Every published pick, by product day and rank." }),
    entry_count: count("Number of entries.", 3),
    sealed_count: count("Sealed entries.", 1),
    opened_count: count("Opened entries.", 2),
    uncommitted_count: count("Uncommitted entries.", 0),
  })
  .meta({ id: "PickOfTheDayLedger", description: "The commitment ledger. Withdrawn picks stay in it." });
