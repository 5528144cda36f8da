import { z } from "zod";
import { rowNumberParam } from "../../../api/request/row-number-param.ts";

/** The path segment with the number of an endpoint. */
export const WebhookSegment = rowNumberParam(
  "Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404.",
  3,
);

export const DeliverySegment = rowNumberParam(
  "Number of the delivery. Any other text is 400; a number that is not a delivery of this endpoint is 404.",
  981,
);

export const AttemptSegment = z.uuid().meta({
  description:
    "Id of the attempt, a UUID. Any other text is 400; an id that is not an attempt of this endpoint is 404.",
  example: "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
});
