import { z } from "zod";

const TrustMetadata = z
  .object({
    source: z
      .object({
        kind: z.enum(["provider", "database", "cache", "computed", "client_input", "unavailable"]),
        owner: z.string(),
        field: z.string().optional(),
      })
      .meta({ id: "TrustSource" }),
    freshness: z
      .object({
        status: z.enum(["fresh", "refreshing", "stale", "not_live", "unknown", "unavailable"]),
        as_of: z.iso.datetime().optional(),
        max_age_s: z.int().min(0).optional(),
      })
      .meta({ id: "TrustFreshness" }),
    reconciliation: z
      .object({
        status: z.enum(["provider_backed", "db_mirror", "computed", "partial", "not_applicable", "unavailable"]),
        detail: z.string().optional(),
      })
      .meta({ id: "TrustReconciliation" }),
    completeness: z
      .object({ status: z.enum(["complete", "partial", "not_computed", "not_applicable", "unavailable"]), detail: z.string().optional() })
      .meta({ id: "TrustCompleteness" }),
  })
  .meta({ id: "TrustMetadata" });

export { TrustMetadata };

export type Trust = z.input<typeof TrustMetadata>;

/** A value of ours, worked out from stored activity. */
export function computedTrust(owner: string, asOf: string | null): Trust {
  return {
    source: { kind: "computed", owner },
    freshness: asOf === null ? { status: "unknown" } : { status: "fresh", as_of: asOf },
    reconciliation: { status: "computed" },
    completeness: { status: "complete" },
  };
}

/** A value as it stands in the database. */
export function storedTrust(owner: string, asOf: string | null): Trust {
  return { ...computedTrust(owner, asOf), source: { kind: "database", owner }, reconciliation: { status: "db_mirror" } };
}

/** A value that is not there, and why. */
export function missingTrust(owner: string, completeness: "not_computed" | "unavailable", detail: string): Trust {
  return {
    source: { kind: "unavailable", owner },
    freshness: { status: "unavailable" },
    reconciliation: { status: "unavailable" },
    completeness: { status: completeness, detail },
  };
}

/** A value that the provider gave, as it stands in the database. */
export function providerTrust(owner: string, asOf: string, age: { maxAgeSeconds: number; now: Date }): Trust {
  const trust = {
    ...computedTrust(owner, asOf),
    source: { kind: "provider" as const, owner },
    reconciliation: { status: "provider_backed" as const },
  };
  return agedTrust(trust, age);
}

/** The same, stale once its clock is older than it should ever be; what has no clock stays as it is. */
export function agedTrust(trust: Trust, { maxAgeSeconds, now }: { maxAgeSeconds: number; now: Date }): Trust {
  const { status, as_of: asOf } = trust.freshness;
  if (status !== "fresh" || asOf === undefined) return trust;
  const isStale = now.getTime() - Date.parse(asOf) > maxAgeSeconds * 1000;
  return { ...trust, freshness: { status: isStale ? "stale" : "fresh", as_of: asOf, max_age_s: maxAgeSeconds } };
}
