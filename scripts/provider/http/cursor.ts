import { createHmac } from "node:crypto";
import { z } from "zod";
import { Refusal } from "./request.ts";

// Not a secret: the signature only rejects edited cursors, as at the provider. Constant, so that cursors
// survive a restart.
const SIGNING_KEY = "provider-endpoint";

const Envelope = z.object({
  data: z.object({ type: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }),
  sig: z.string(),
});

export type CursorParams = Record<string, string | number>;

const sign = (data: unknown) =>
  createHmac("sha256", SIGNING_KEY).update(JSON.stringify(data)).digest("hex").slice(0, 32);

/**
 * An opaque cursor with the structure of the Data API's decoded ones: endpoint type, parameters, signature.
 */
export function formatCursor(type: string, params: CursorParams): string {
  const data = { type, params };
  return Buffer.from(JSON.stringify({ data, sig: sign(data) })).toString("base64url");
}

/** @throws Refusal 400 when the cursor has no valid signature, or belongs to another endpoint */
export function parseCursor(type: string, text: string): CursorParams {
  const envelope = Envelope.safeParse(decode(text));
  if (!envelope.success || envelope.data.data.type !== type || envelope.data.sig !== sign(envelope.data.data)) {
    throw new Refusal(400, "invalid cursor", "cursor");
  }
  return envelope.data.data.params;
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
