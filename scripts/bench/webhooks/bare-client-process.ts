import { createHmac } from "node:crypto";
import { Agent, request as open } from "node:http";
import type { BarePost, BareRequest } from "./bare-client.ts";

// Signs each body in both forms and posts it over kept-alive connections: the time of a program that does
// nothing else.
process.once("message", async ({ posts, concurrency }: BareRequest) => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const startedAt = performance.now();
  let next = 0;
  const send = async () => {
    for (let post = posts[next++]; post !== undefined; post = posts[next++]) await sendOne(post, agent);
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  process.send?.((performance.now() - startedAt) / 1000);
  agent.destroy();
  process.disconnect();
});

function sendOne({ url, id, body, secret }: BarePost, agent: Agent): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const own = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    ...{ "content-type": "application/json", "x-service-signature": `v1=${own}`, "x-service-timestamp": timestamp },
    ...{ "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${standard}` },
  };
  return new Promise((resolve, reject) => {
    open(url, { method: "POST", agent, headers }, (response) =>
      response.resume().on("end", resolve).on("error", reject),
    )
      .on("error", reject)
      .end(body);
  });
}
