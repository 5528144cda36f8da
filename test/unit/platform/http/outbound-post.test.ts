import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { postOutbound } from "../../../../src/platform/http/outbound-post.ts";
import { startCanary } from "../../../support/webhooks/canary.ts";

/** A receiver on loopback with the given response. */
async function aReceiver(answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void) {
  let open = 0;
  const server = createServer(async (request, response) => {
    open++;
    response.on("close", () => open--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    answer(request, response, Buffer.concat(chunks));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, open: () => open };
}

const post = (url: string, timeoutMs = 2_000, body = "{}") =>
  postOutbound({ url, headers: { "x-service-event-id": "evt_1_1" }, body, timeoutMs }, fetch);

test("a posted body arrives byte for byte, with its headers", async () => {
  const seen: unknown[] = [];
  const { url } = await aReceiver(({ method, headers }, response, body) => {
    seen.push(method, headers["content-type"], headers["x-service-event-id"], body.toString());
    response.end();
  });
  expect(await post(url, 2_000, '{"é":"𝔊"}')).toEqual({ kind: "accepted", status: 200 });
  expect(seen).toEqual(["POST", "application/json", "evt_1_1", '{"é":"𝔊"}']);
});

test.for([200, 201, 202, 204, 299])("a post with the response status %d is accepted", async (status) => {
  const { url } = await aReceiver((_request, response) => void response.writeHead(status).end());
  expect(await post(url)).toEqual({ kind: "accepted", status });
});

test.for([400, 401, 404, 408, 410, 429, 500, 503])(
  "a post with the response status %d is rejected, and its Retry-After is reported",
  async (status) => {
    const { url } = await aReceiver(
      (_request, response) => void response.writeHead(status, { "retry-after": "120" }).end("no"),
    );
    expect(await post(url)).toEqual({ kind: "rejected", status, retryAfter: "120" });
  },
);

describe("redirects", () => {
  test.for([300, 301, 302, 303, 304, 307, 308])(
    "a redirect of status %d is a rejection and is not followed",
    async (status) => {
      const canary = await startCanary();
      const { url } = await aReceiver(
        (_request, response) => void response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/` }).end(),
      );
      expect(await post(url)).toEqual({ kind: "rejected", status, retryAfter: null });
      expect(canary.connections()).toBe(0);
    },
  );

  test("the canary that redirects point to would count a connection", async () => {
    const canary = await startCanary();
    expect(await post(`http://127.0.0.1:${canary.port}/`)).toEqual({ kind: "accepted", status: 200 });
    expect(canary.connections()).toBe(1);
  });
});

test("a receiver without a timely response is a timeout, and the connection is closed", async () => {
  const receiver = await aReceiver(() => undefined);
  expect(await post(receiver.url, 80)).toEqual({ kind: "timeout" });
  await expect.poll(receiver.open).toBe(0);
});

test("an accepting response whose body never completes is a timeout, and the connection is closed", async () => {
  const receiver = await aReceiver(
    (_request, response) => void response.writeHead(200, { "content-length": "10" }).write("half"),
  );
  expect(await post(receiver.url, 80)).toEqual({ kind: "timeout" });
  await expect.poll(receiver.open).toBe(0);
});

test("an endless response body is abandoned after its first kilobyte", async () => {
  let sent = 0;
  const receiver = await aReceiver((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  expect(await post(receiver.url, 5_000)).toEqual({ kind: "accepted", status: 200 });
  await expect.poll(receiver.open).toBe(0);
  // Only the amount that the sockets' buffers take.
  expect(sent).toBeLessThan(20_000_000);
});

test("a post does not wait for the body of a rejection", async () => {
  const receiver = await aReceiver((_request, response) => void response.writeHead(500).write("a"));
  expect(await post(receiver.url, 5_000)).toEqual({ kind: "rejected", status: 500, retryAfter: null });
  await expect.poll(receiver.open).toBe(0);
});

test("a refused or dropped connection is a failed connection", async () => {
  expect(await post("http://127.0.0.1:1/")).toEqual({ kind: "connection_failed" });
  const droppedEarly = await aReceiver((request) => void request.socket.destroy());
  expect(await post(droppedEarly.url)).toEqual({ kind: "connection_failed" });
  const droppedMidway = await aReceiver((request, response) => {
    response
      .writeHead(200, { "content-length": "10" })
      .write("half", () => setTimeout(() => request.socket.destroy(), 20));
  });
  expect(await post(droppedMidway.url)).toEqual({ kind: "connection_failed" });
});
