import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { HttpMail } from "../../../../src/platform/mail/http-mail.ts";

const MESSAGE = { to: "ann@example.test", subject: "Your code for é", text: "04938271 is your code.\nKeep it." };

afterEach(() => {
  vi.restoreAllMocks();
});

/** A mail service on a loopback port. */
async function aService(answer: RequestListener, path = "/emails") {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const endpoint = `http://127.0.0.1:${address.port}${path}`;
  return { endpoint, mail: new HttpMail({ endpoint, token: "re_token", from: "Service <codes@example.test>" }, fetch) };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return text;
}

/** The text of the error, which a log would contain. */
const failureOf = (sending: Promise<void>) =>
  sending.then(
    () => "sent",
    (error: Error) => `${error.name}: ${error.message}; ${String(error.cause)}`,
  );

test("a mail is sent as one JSON POST with the token", async () => {
  const received: unknown[] = [];
  const { mail } = await aService(async (request, response) => {
    const { method, url, headers } = request;
    received.push({
      method,
      url,
      type: headers["content-type"],
      auth: headers.authorization,
      body: JSON.parse(await read(request)),
    });
    response.end('{"id":"49a3999c-0ce1-4ea6-ab68-afcd6dc2e794"}');
  });
  await mail.send(MESSAGE);
  expect(received).toEqual([
    {
      method: "POST",
      url: "/emails",
      type: "application/json",
      auth: "Bearer re_token",
      body: {
        from: "Service <codes@example.test>",
        to: ["ann@example.test"],
        subject: MESSAGE.subject,
        text: MESSAGE.text,
      },
    },
  ]);
});

test("a mail with a key is sent with it as its Idempotency-Key", async () => {
  const keys: unknown[] = [];
  const { mail } = await aService(
    (request, response) => void (keys.push(request.headers["idempotency-key"]), response.end()),
  );
  await mail.send({ ...MESSAGE, idempotencyKey: "k-1" });
  await mail.send(MESSAGE);
  expect(keys).toEqual(["k-1", undefined]);
});

test("a mail leaves no timer behind, whether it was accepted or refused", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const settings = { endpoint: "http://127.0.0.1:1/emails", token: "re_token", from: "codes@example.test" };
  const timers: number[] = [];
  for (const status of [200, 500]) {
    const mail = new HttpMail(settings, async () => {
      timers.push(vi.getTimerCount());
      return new Response(null, { status });
    });
    await failureOf(mail.send(MESSAGE));
    timers.push(vi.getTimerCount());
  }
  expect(timers).toEqual([1, 0, 1, 0]);
});

test.for([200, 201, 202, 204])("a mail with the response status %i is accepted, whatever the body", async (status) => {
  const { mail } = await aService(
    (_, response) => void response.writeHead(status).end(status === 204 ? undefined : "not JSON"),
  );
  await expect(mail.send(MESSAGE)).resolves.toBeUndefined();
});

test.for([301, 307, 400, 401, 403, 422, 429, 500, 503])(
  "a mail with the response status %i fails with an error that contains only the status",
  async (status) => {
    let requests = 0;
    const { mail } = await aService(async (request, response) => {
      requests++;
      // A service that echoes the request and redirects.
      response.writeHead(status, { location: "/elsewhere" }).end(await read(request));
    });
    expect(await failureOf(mail.send(MESSAGE))).toBe(
      `MailUnavailable: the mail service returned status ${status}; undefined`,
    );
    expect(requests).toBe(1);
  },
);

test("a response that breaks off after its status counts by its status", async () => {
  const { mail } = await aService((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("{");
    setTimeout(() => response.destroy(), 20);
  });
  await expect(mail.send(MESSAGE)).resolves.toBeUndefined();
});

test("an unreachable mail service fails with an error that contains nothing of the mail", async () => {
  const mail = new HttpMail(
    { endpoint: "http://127.0.0.1:1/emails", token: "re_token", from: "codes@example.test" },
    fetch,
  );
  expect(await failureOf(mail.send(MESSAGE))).toBe(
    "MailUnavailable: the mail service did not respond (TypeError); undefined",
  );
});

test("a token that is not a valid header value does not appear in the error", async () => {
  const mail = new HttpMail(
    { endpoint: "http://127.0.0.1:1/emails", token: "re_\ntoken", from: "codes@example.test" },
    fetch,
  );
  expect(await failureOf(mail.send(MESSAGE))).toBe(
    "MailUnavailable: the mail service did not respond (TypeError); undefined",
  );
});

test("a mail service that does not respond is abandoned after ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const received = Promise.withResolvers<void>();
  const { mail } = await aService(() => received.resolve());
  const failure = failureOf(mail.send(MESSAGE));
  await received.promise;
  vi.advanceTimersByTime(9_999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await failure).toBe("MailUnavailable: the mail service did not respond (TimeoutError); undefined");
});

test("sending a mail logs nothing, whether it succeeds or fails", async () => {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) => vi.spyOn(console, level));
  const { mail } = await aService((_, response) => void response.writeHead(500).end());
  await failureOf(mail.send(MESSAGE));
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
