import { ApiError, type ErrorDetail, type Reason } from "../api/errors.ts";
import { reasonOf, type OperationSample } from "./samples.ts";

const NAME = "sandbox_status";
const OWN_PARAMETER = /^sandbox_status(=|$)/;

/** A raw query, taken apart: the sandbox's own parameter, and the rest, which is the operation's. */
export function splitQuery(rawQuery: string): { readonly statuses: readonly string[]; readonly rest: string } {
  const pairs = rawQuery.split("&");
  const isOwn = (pair: string) => OWN_PARAMETER.test(pair);
  return {
    statuses: pairs.filter(isOwn).map((pair) => pair.slice(NAME.length + 1)),
    rest: pairs.filter((pair) => !isOwn(pair)).join("&"),
  };
}

/** What the sample of an error says beyond the catalogue. */
const DETAILS: Partial<Record<Reason, ErrorDetail>> = {
  freshness_ceiling_unsatisfied: {
    param: "max_age_s",
    freshness: {
      max_age_s: 60,
      data_quality_status: "fresh",
      actual_age_s: 412,
      as_of: "2026-11-20T11:53:08.000Z",
    },
  },
  cursor_expired: { param: "cursor" },
  invalid_body: { param: "body" },
  payload_too_large: { param: "body" },
  unsupported_media_type: { param: "content-type" },
  idempotency_in_progress: { param: "Idempotency-Key" },
  idempotency_key_reused: { param: "Idempotency-Key" },
};

/**
 * The error that a request asks for; null when it asks for none.
 *
 * @throws ApiError invalid_query for a status that the operation does not document
 */
export function requestedError(statuses: readonly string[], sample: OperationSample): ApiError | null {
  const [status] = statuses;
  if (status === undefined) return null;
  const reason = statuses.length === 1 ? reasonOf(sample, status) : null;
  if (reason === null)
    throw new ApiError("invalid_query", {
      param: NAME,
      message: `${NAME} must be one of the documented error statuses of this operation: ${Object.keys(sample.errors).join(", ")}.`,
    });
  return new ApiError(reason, DETAILS[reason]);
}
