import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { HttpMail } from "../../../src/ports/http-mail.ts";

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

/** What the message of the error says, which a log will hold. */
const failureOf = (sending: Promise<void>) =>
  sending.then(
    () => "sent",
    (error: Error) => `${error.name}: ${error.message}; ${String(error.cause)}`,
  );

test("a mail is one POST of JSON with the token", async () => {
  const got: unknown[] = [];
  const { mail } = await aService(async (request, response) => {
    const { method, url, headers } = request;
    got.push({ method, url, type: headers["content-type"], auth: headers.authorization, body: JSON.parse(await read(request)) });
    response.end('{"id":"49a3999c-0ce1-4ea6-ab68-afcd6dc2e794"}');
  });
  await mail.send(MESSAGE);
  expect(got).toEqual([
    {
      method: "POST",
      url: "/emails",
      type: "application/json",
      auth: "Bearer re_token",
      body: { from: "Service <codes@example.test>", to: ["ann@example.test"], subject: MESSAGE.subject, text: MESSAGE.text },
    },
  ]);
});

test("a mail with a key is known by it to the service", async () => {
  const keys: unknown[] = [];
  const { mail } = await aService((request, response) => void (keys.push(request.headers["idempotency-key"]), response.end()));
  await mail.send({ ...MESSAGE, key: "k-1" });
  await mail.send(MESSAGE);
  expect(keys).toEqual(["k-1", undefined]);
});

test("no timer is left of a mail that was answered, taken or not", async () => {
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

test.for([200, 201, 202, 204])("an answer of %i takes it, whatever it says", async (status) => {
  const { mail } = await aService((_, response) => void response.writeHead(status).end(status === 204 ? undefined : "not JSON"));
  await expect(mail.send(MESSAGE)).resolves.toBeUndefined();
});

test.for([301, 307, 400, 401, 403, 422, 429, 500, 503])("an answer of %i is a failure that tells its status only", async (status) => {
  let asked = 0;
  const { mail } = await aService(async (request, response) => {
    asked++;
    // A service that repeats what it was sent, and names a place to send it to.
    response.writeHead(status, { location: "/elsewhere" }).end(await read(request));
  });
  expect(await failureOf(mail.send(MESSAGE))).toBe(`MailUnavailable: the mail service answered ${status}; undefined`);
  expect(asked).toBe(1);
});

test("an answer that breaks off after its status counts by its status", async () => {
  const { mail } = await aService((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("{");
    setTimeout(() => response.destroy(), 20);
  });
  await expect(mail.send(MESSAGE)).resolves.toBeUndefined();
});

test("a service that is not there is a failure that tells nothing of the mail", async () => {
  const mail = new HttpMail({ endpoint: "http://127.0.0.1:1/emails", token: "re_token", from: "codes@example.test" }, fetch);
  expect(await failureOf(mail.send(MESSAGE))).toBe("MailUnavailable: the mail service did not answer (TypeError); undefined");
});

test("a token that no header can carry is not told in the failure", async () => {
  const mail = new HttpMail({ endpoint: "http://127.0.0.1:1/emails", token: "re_\ntoken", from: "codes@example.test" }, fetch);
  expect(await failureOf(mail.send(MESSAGE))).toBe("MailUnavailable: the mail service did not answer (TypeError); undefined");
});

test("a service that does not answer is given up after ten seconds", async () => {
  const { mail } = await aService(() => undefined);
  const startedAt = performance.now();
  expect(await failureOf(mail.send(MESSAGE))).toBe("MailUnavailable: the mail service did not answer (TimeoutError); undefined");
  const seconds = (performance.now() - startedAt) / 1000;
  expect(seconds).toBeGreaterThan(9.9);
  expect(seconds).toBeLessThan(12);
});

test("nothing is logged, sent or not", async () => {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) => vi.spyOn(console, level));
  const { mail } = await aService((_, response) => void response.writeHead(500).end());
  await failureOf(mail.send(MESSAGE));
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
