import { z } from "zod";

/** A number above this is well formed but refers to no row, so it is clamped and returns 404. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

const rowNumber = (description: string, example: number) =>
  z
    .preprocess(
      (text) => (/^[1-9]\d*$/.test(String(text)) ? Math.min(Number(text), MAX_NUMBER) : Number.NaN),
      z.int("expected a positive integer").min(1),
    )
    .meta({ description, format: "int64", example });

/** The path segment with the number of an endpoint. */
export const WebhookSegment = rowNumber(
  "Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404.",
  3,
);

export const DeliverySegment = rowNumber(
  "Number of the delivery. Any other text is 400; a number that is not a delivery of this endpoint is 404.",
  981,
);

export const AttemptSegment = z.uuid().meta({
  description:
    "Id of the attempt, a UUID. Any other text is 400; an id that is not an attempt of this endpoint is 404.",
  example: "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
});
