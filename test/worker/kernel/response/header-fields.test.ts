import { expect, test } from "vitest";
import { HeaderFields, type WritableHeaders } from "../../../../src/api/response/header-fields.ts";
import { toResponse } from "../../../../src/api/response/reply.ts";

/** Changes that responses make, in an order that overwrites, and in other cases of the names. */
function write(headers: WritableHeaders): unknown[] {
  headers.set("content-type", "application/json");
  headers.set("Cache-Control", "private, no-cache");
  headers.set("cache-control", "no-store");
  headers.append("Access-Control-Expose-Headers", "ETag");
  headers.append("access-control-expose-headers", "Link");
  headers.set("Vary", "Origin");
  return [headers.get("VARY"), headers.get("etag"), headers.has("Content-Type"), headers.has("ETag")];
}

test("collected fields read and write as the runtime's Headers", () => {
  const [collected, native] = [new HeaderFields(), new Headers()];
  expect(write(collected)).toEqual(write(native));
  const { headers } = toResponse({ status: 200, headers: collected, body: "{}" });
  expect([...headers]).toEqual([...native]);
});

test("a field that was deleted is not sent, and copied fields replace those of the response", () => {
  const collected = new HeaderFields({ "content-type": "application/json", "X-Request-Id": "req_1" });
  collected.delete("Content-Type");
  const native = new Headers({ "x-request-id": "req_0", ETag: 'W/"1"' });
  collected.copyTo(native);
  expect([...native]).toEqual([
    ["etag", 'W/"1"'],
    ["x-request-id", "req_1"],
  ]);
  const { headers } = toResponse({ status: 304, headers: collected, body: null });
  expect([...headers]).toEqual([["x-request-id", "req_1"]]);
});
