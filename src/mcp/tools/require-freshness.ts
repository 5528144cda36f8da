import { z } from "zod";
import { ApiError } from "../../api/errors.ts";

const Clock = z.string().optional().catch(undefined);
const Quality = z.looseObject({ status: z.string(), as_of: Clock }).optional().catch(undefined);
const Clocks = { as_of: Clock, computed_at: Clock };
/** The fields of an envelope that state an age. */
const AgedEnvelope = z.looseObject({
  ...Clocks,
  data_quality: Quality,
  data: z
    .looseObject({ ...Clocks, data_quality: Quality })
    .optional()
    .catch(undefined),
  meta: z.looseObject({ cache_age_s: z.number().default(0), ranking_as_of: Clock }),
});

/**
 * Refuses a result that is older than the caller accepts. The age is that of `data_quality`, which must be fresh;
 * without it, of the response's own clock; without one, of the cached response.
 *
 * @throws ApiError freshness_ceiling_unsatisfied
 */
export function requireFreshness(envelope: unknown, maxAgeSeconds: number, now: Date): void {
  const { data_quality, data, meta, ...top } = AgedEnvelope.parse(envelope);
  const quality = data_quality ?? data?.data_quality;
  const asOf =
    quality === undefined
      ? (top.as_of ?? top.computed_at ?? data?.as_of ?? data?.computed_at ?? meta.ranking_as_of)
      : quality.as_of;
  const cacheAge = quality === undefined ? meta.cache_age_s : null;
  const age = asOf === undefined ? cacheAge : Math.max(0, Math.floor((now.getTime() - Date.parse(asOf)) / 1000));
  if ((quality?.status ?? "fresh") === "fresh" && age !== null && age <= maxAgeSeconds) return;
  throw new ApiError("freshness_ceiling_unsatisfied", {
    param: "max_age_s",
    freshness: {
      max_age_s: maxAgeSeconds,
      data_quality_status: quality?.status ?? "untracked",
      ...(age === null ? {} : { actual_age_s: age }),
      ...(asOf === undefined ? {} : { as_of: asOf }),
    },
  });
}
