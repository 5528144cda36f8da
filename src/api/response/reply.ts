import type { HeaderFields } from "./header-fields.ts";

/** The response of an operation while headers can still be added. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string | ReadableStream<Uint8Array> | null;
}

export const toResponse = ({ status, headers, body }: Reply): Response =>
  new Response(body, { status, headers: headers.toRecord() });
