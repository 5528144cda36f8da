import { z } from "zod";
import {
  describeExcludedActivity,
  type ExcludedActivity,
  type TraderCompleteness,
} from "../domain/traders/trader-completeness.ts";

const optionalText = (description: string, example: string) => z.string().optional().meta({ description, example });

const TrustSource = z
  .object({
    kind: z.enum(["provider", "database", "cache", "computed", "client_input", "unavailable"]).meta({
      description:
        "provider: as given by the provider. database: as stored. computed: computed by this API from stored " +
        "data. cache: from an earlier response. client_input: from the request. unavailable: there is no value.",
      example: "computed",
    }),
    owner: z.string().meta({
      description: "Table and column, or component of the service, that the value comes from.",
      example: "trader_days",
    }),
    field: optionalText("Part of the owner, where the owner has several values.", "realized"),
  })
  .meta({ id: "TrustSource", description: "Where a value comes from." });

const TrustFreshness = z
  .object({
    status: z.enum(["fresh", "refreshing", "stale", "not_live", "unknown", "unavailable"]).meta({
      description:
        "fresh: within its maximum age. refreshing: older, and about to be read again. stale: past its maximum " +
        "age, or older than a result that is awaited. not_live: final, not expected to change. unknown: without a " +
        "timestamp. unavailable: there is no value.",
      example: "fresh",
    }),
    as_of: z.iso.datetime().optional().meta({
      description: "Time that the value describes, UTC. Left out without a timestamp.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    max_age_s: z.int().min(0).optional().meta({
      description: "Age in seconds after which the value is stale. Left out when it has no maximum age.",
      example: 600,
    }),
  })
  .meta({ id: "TrustFreshness", description: "Age of a value." });

const TrustReconciliation = z
  .object({
    status: z.enum(["provider_backed", "db_mirror", "computed", "partial", "not_applicable", "unavailable"]).meta({
      description:
        "provider_backed: the provider's own value. db_mirror: a copy in our database. computed: our own value, " +
        "not compared with another source. partial: only a part was compared. not_applicable: there is nothing to " +
        "compare. unavailable: there is no value.",
      example: "computed",
    }),
    detail: optionalText(
      "What was compared, as text. Left out when the status says everything.",
      "the other outcome has no quotes",
    ),
  })
  .meta({ id: "TrustReconciliation", description: "What a value was checked against." });

export const TrustCompleteness = z
  .object({
    status: z.enum(["complete", "partial", "not_computed", "not_applicable", "unavailable"]).meta({
      description:
        "complete: nothing is missing. partial: a part is missing. not_computed: the value can be " +
        "computed, but has not been. not_applicable: the value cannot exist. unavailable: the inputs " +
        "of the value are not known.",
      example: "complete",
    }),
    detail: optionalText(
      "Why the value is missing or partial, as text. Left out when complete.",
      "the wallet's history is still being read",
    ),
  })
  .meta({ id: "TrustCompleteness", description: "Whether a value is complete, and why not." });

export const TrustMetadata = z
  .object({
    source: TrustSource,
    freshness: TrustFreshness,
    reconciliation: TrustReconciliation,
    completeness: TrustCompleteness,
  })
  .meta({
    id: "TrustMetadata",
    description: "Source, freshness, reconciliation and completeness of one value.",
    examples: [
      {
        source: { kind: "computed", owner: "trader_days" },
        freshness: { status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
        reconciliation: { status: "computed" },
        completeness: { status: "complete" },
      },
    ],
  });

export type Trust = z.input<typeof TrustMetadata>;

/** Completeness of a trader's figures, as list rows show it. */
export const presentCompleteness = (completeness: TraderCompleteness): z.input<typeof TrustCompleteness> =>
  completeness.status === "complete"
    ? { status: "complete" }
    : { status: completeness.status === "partial" ? "partial" : "unavailable", detail: completeness.detail };

/**
 * Completeness of a trader's figures in a ranked list.
 *
 * @param figures null when they are withheld because the trader's history in ordinary markets is not known
 */
export function presentRankedCompleteness(
  figures: { readonly left_out: ExcludedActivity } | null,
): z.input<typeof TrustCompleteness> {
  if (figures === null)
    return { status: "unavailable", detail: "the trader's history in ordinary markets is not known" };
  const detail = describeExcludedActivity(figures.left_out);
  return presentCompleteness(detail === null ? { status: "complete" } : { status: "partial", detail });
}

/** Trust of a value that is computed from stored activity. */
export function computedTrust(owner: string, asOf: string | null): Trust {
  return {
    source: { kind: "computed", owner },
    freshness: asOf === null ? { status: "unknown" } : { status: "fresh", as_of: asOf },
    reconciliation: { status: "computed" },
    completeness: { status: "complete" },
  };
}

/** Trust of a value that is copied from the database. */
export function storedTrust(owner: string, asOf: string | null): Trust {
  return {
    ...computedTrust(owner, asOf),
    source: { kind: "database", owner },
    reconciliation: { status: "db_mirror" },
  };
}

/** Trust of a missing value, with the reason. */
export function missingTrust(owner: string, completeness: "not_computed" | "unavailable", detail: string): Trust {
  return {
    source: { kind: "unavailable", owner },
    freshness: { status: "unavailable" },
    reconciliation: { status: "unavailable" },
    completeness: { status: completeness, detail },
  };
}

/** Trust of a value that is stored as the provider gave it. */
export function providerTrust(owner: string, asOf: string, age: { maxAgeSeconds: number; now: Date }): Trust {
  const trust = {
    ...computedTrust(owner, asOf),
    source: { kind: "provider" as const, owner },
    reconciliation: { status: "provider_backed" as const },
  };
  return withMaxAge(trust, age);
}

/**
 * Marks a fresh value as stale when it is older than its maximum age. A value without a timestamp does not
 * change.
 */
export function withMaxAge(trust: Trust, { maxAgeSeconds, now }: { maxAgeSeconds: number; now: Date }): Trust {
  const { status, as_of: asOf } = trust.freshness;
  if (status !== "fresh" || asOf === undefined) return trust;
  const isStale = now.getTime() - Date.parse(asOf) > maxAgeSeconds * 1000;
  return { ...trust, freshness: { status: isStale ? "stale" : "fresh", as_of: asOf, max_age_s: maxAgeSeconds } };
}
