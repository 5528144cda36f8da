import { toHex } from "../lib/crypto/hmac.ts";

/** The id of one request: in `X-Request-Id`, in every log line and in the comments of its statements. */
export const newRequestId = (): string => `req_${toHex(crypto.getRandomValues(new Uint8Array(12)))}`;
