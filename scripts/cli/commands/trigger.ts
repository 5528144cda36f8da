import { readFileSync } from "node:fs";
import { z } from "zod";
import type { CommandContext } from "../context.ts";
import { CommandFailed, UsageError } from "../exit-codes.ts";
import { attemptDelivery, isDelivered, parseLocalUrl, secretOf } from "../local-delivery.ts";

const Sample = z.looseObject({ id: z.string(), type: z.string(), data: z.looseObject({}) });
const Document = z.object({
  webhooks: z.record(
    z.string(),
    z.object({
      post: z.object({
        requestBody: z.object({ content: z.object({ "application/json": z.object({ example: Sample }) }) }),
      }),
    }),
  ),
});

/** Posts the documented example of an event, signed, to a receiver on this machine. */
export async function trigger({ positionals, output, values, signal }: CommandContext): Promise<void> {
  const document = readFileSync(new URL("../../../src/generated/openapi.txt", import.meta.url), "utf8");
  const { webhooks } = Document.parse(JSON.parse(document));
  const type = positionals[0] ?? "";
  const sample = webhooks[type]?.post.requestBody.content["application/json"].example;
  if (sample === undefined) throw new UsageError(`Name an event: ${Object.keys(webhooks).join(", ")}.`);
  const url = parseLocalUrl(values["to"], "--to");
  const secret = secretOf(values["secret"]);
  const headerPrefix = typeof values["header-prefix"] === "string" ? values["header-prefix"] : "x-service";
  // A new id, so that a receiver that detects repeats accepts it.
  const id = `evt_test_${Date.now()}`;
  const data = "event_id" in sample.data ? { ...sample.data, event_id: id } : sample.data;
  const event = { ...sample, id, created_at: new Date().toISOString(), data };
  if (values["secret"] === undefined) output.note(`Signing secret: ${secret}`);
  const result = await attemptDelivery({ url, secret, headerPrefix, deliveryId: "1", event }, 1, signal);
  output.event(`${type}  ${id}  ${result}`, { id, type, result });
  if (!isDelivered(result)) throw new CommandFailed(`${url} did not accept the event: ${result}`);
}
