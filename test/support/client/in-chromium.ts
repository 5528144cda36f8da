import { once } from "node:events";
import { createServer } from "node:http";
import { bundleEntry } from "../../../scripts/client/build-client.ts";
import { openInChromium } from "../stream/stream-clients.ts";

const SECONDS = 60;

/**
 * Runs a module in a page of Chromium, which imports the built client from `/index.js`, and whose origin is not that of
 * the API. The module calls `report` with its outcome.
 *
 * @throws when nothing is reported within a minute
 */
export async function runInChromium(module: string): Promise<unknown> {
  const files: Record<string, [type: string, text: string]> = {
    "/": ["text/html", `<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>`],
    "/index.js": ["text/javascript", await bundleEntry("index")],
    "/page.js": [
      "text/javascript",
      `const report = (value) => fetch("/report", { method: "POST", body: JSON.stringify(value) });
addEventListener("error", ({ message }) => report({ failed: message }));
addEventListener("unhandledrejection", ({ reason }) => report({ failed: String(reason) }));
${module}`,
    ],
  };
  const reported = Promise.withResolvers<unknown>();
  const server = createServer(async (request, response) => {
    if (request.url === "/report") {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      reported.resolve(JSON.parse(body));
      response.writeHead(204).end();
      return;
    }
    const [type, text] = files[request.url ?? ""] ?? [null, ""];
    if (type === null) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": type }).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = await openInChromium(`http://127.0.0.1:${port}/`);
  const timer = setTimeout(() => reported.reject(new Error("the page reported nothing")), SECONDS * 1000);
  try {
    return await reported.promise;
  } finally {
    clearTimeout(timer);
    await close();
    server.close();
  }
}
