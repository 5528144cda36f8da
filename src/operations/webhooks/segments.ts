import { z } from "zod";

/** A number that no row has, as it is too long for one, is well formed all the same. */
const MOST = Number.MAX_SAFE_INTEGER;

const rowNumber = (description: string, example: number) =>
  z
    .preprocess(
      (text) => (/^[1-9]\d*$/.test(String(text)) ? Math.min(Number(text), MOST) : Number.NaN),
      z.int("expected a positive integer").min(1),
    )
    .meta({ description, format: "int64", example });

/** The path segment of an endpoint. */
export const WebhookSegment = rowNumber(
  "The endpoint's number. Another text is refused with 400; an endpoint of nobody's, or of another account, is 404.",
  3,
);

export const DeliverySegment = rowNumber(
  "The delivery's number. Another text is refused with 400; one that is not among this endpoint's is 404.",
  981,
);

export const AttemptSegment = z.uuid().meta({
  description: "The attempt's id, a UUID. Another text is refused with 400; one that is not among this endpoint's is 404.",
  example: "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
});
