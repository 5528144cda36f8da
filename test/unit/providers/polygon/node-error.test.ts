import { expect, test } from "vitest";
import { classifyNodeError } from "../../../../src/providers/polygon/node-error.ts";

// Texts of public node services and of the clients that they run.
test.each([
  [-32005, "query returned more than 10000 results. Try with this block range [0x1, 0x2]."],
  [-32602, "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range"],
  [-32614, "eth_getLogs is limited to a 10,000 range"],
  [-32000, "exceed maximum block range: 5000"],
  [-32000, "block range is too wide"],
  [-32600, "eth_getLogs block range too large, range: 5000, max: 1000"],
  [-32602, "query exceeds max results 20000, retry with the range 1-2"],
  [-32000, "Response is too big"],
  [-32000, "query timeout exceeded"],
  [null, "status 413: "],
  [null, "no response within 20000 ms"],
])("code %s, %s: the range is too large", (code, message) => {
  expect(classifyNodeError(code, message)).toBe("too_large");
});

test.each([
  [-32005, "daily request count exceeded, request rate limited"],
  [429, "Your app has exceeded its compute units per second capacity."],
  [-32000, "header not found"],
  [-32603, "internal error"],
  [null, "the connection failed"],
])("code %s, %s: the same call may succeed later", (code, message) => {
  expect(classifyNodeError(code, message)).toBe("temporary");
});

test.each([
  [-32601, "the method eth_getLogs does not exist/is not available"],
  [-32602, "invalid argument 0: hex string without 0x prefix"],
])("code %s, %s: the call never succeeds", (code, message) => {
  expect(classifyNodeError(code, message)).toBe("refused");
});
