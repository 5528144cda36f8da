import { z } from "zod";
import { describeLeftOut, type LeftOut, type WalletCompleteness } from "../domain/wallet-completeness.ts";

const words = (description: string, example: string) => z.string().optional().meta({ description, example });

const TrustSource = z
  .object({
    kind: z.enum(["provider", "database", "cache", "computed", "client_input", "unavailable"]).meta({
      description:
        "provider: as the provider said. database: as it is recorded. computed: worked out here from what is recorded. cache: from an earlier answer. client_input: as the request said. unavailable: there is no value.",
      example: "computed",
    }),
    owner: z
      .string()
      .meta({ description: "The table and column, or the part of the service, that the value comes from.", example: "trader_days" }),
    field: words("The part of the owner it is, where the owner holds several.", "realized"),
  })
  .meta({ id: "TrustSource", description: "Where a value comes from." });

const TrustFreshness = z
  .object({
    status: z.enum(["fresh", "refreshing", "stale", "not_live", "unknown", "unavailable"]).meta({
      description:
        "fresh: young enough. refreshing: older, and about to be read again. stale: older than it should be, or before a result that is awaited. not_live: not meant to move. unknown: it has no clock. unavailable: there is no value.",
      example: "fresh",
    }),
    as_of: z.iso.datetime().optional().meta({
      description: "The time the value is of, UTC. Left out without a clock.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    max_age_s: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Seconds after which it counts as stale. Left out where no age is too old.", example: 600 }),
  })
  .meta({ id: "TrustFreshness", description: "How old a value is." });

const TrustReconciliation = z
  .object({
    status: z.enum(["provider_backed", "db_mirror", "computed", "partial", "not_applicable", "unavailable"]).meta({
      description:
        "provider_backed: the provider's own. db_mirror: a copy in our database. computed: ours, not held against another's. partial: only a part was held against another's. not_applicable: nothing to compare. unavailable: there is no value.",
      example: "computed",
    }),
    detail: words("What was compared, in words. Left out where the status says it all.", "the other outcome has no quotes"),
  })
  .meta({ id: "TrustReconciliation", description: "What a value was checked against." });

export const TrustCompleteness = z
  .object({
    status: z.enum(["complete", "partial", "not_computed", "not_applicable", "unavailable"]).meta({
      description:
        "complete: nothing is missing. partial: a part is. not_computed: it could be known, and has not been worked out. not_applicable: there cannot be one. unavailable: what it rests on is not known.",
      example: "complete",
    }),
    detail: words("Why it is missing or in part, in words. Left out when complete.", "the wallet's history is still being read"),
  })
  .meta({ id: "TrustCompleteness", description: "Whether a value is whole, and why not." });

export const TrustMetadata = z
  .object({
    source: TrustSource,
    freshness: TrustFreshness,
    reconciliation: TrustReconciliation,
    completeness: TrustCompleteness,
  })
  .meta({
    id: "TrustMetadata",
    description: "How far one value can be relied on.",
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

/** How whole the figures of a wallet are, as lists show it beside them. */
export const presentCompleteness = (completeness: WalletCompleteness): z.input<typeof TrustCompleteness> =>
  completeness.status === "complete"
    ? { status: "complete" }
    : { status: completeness.status === "partial" ? "partial" : "unavailable", detail: completeness.detail };

/** The same of a wallet in a list. @param figures null where they are withheld: its history in ordinary markets is not known */
export function presentFiguresCompleteness(figures: { readonly left_out: LeftOut } | null): z.input<typeof TrustCompleteness> {
  if (figures === null) return { status: "unavailable", detail: "the wallet's history in ordinary markets is not known" };
  const detail = describeLeftOut(figures.left_out);
  return presentCompleteness(detail === null ? { status: "complete" } : { status: "partial", detail });
}

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
