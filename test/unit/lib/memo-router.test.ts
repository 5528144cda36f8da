import { Hono } from "hono";
import { expect, test } from "vitest";
import { MemoRouter } from "../../../src/lib/memo-router.ts";

/** Responds with the route and its parameters, after a middleware of all paths. */
function openApp(app: Hono): Hono {
  app.use("*", async (c, next) => {
    await next();
    c.res.headers.set("x-path", c.req.path);
  });
  app.get("/traders/:address", (c) => c.json(["trader", c.req.param("address")]));
  app.get("/traders/:address/fills/:id", (c) => c.json(["fill", c.req.param("address"), c.req.param("id")]));
  app.all("/traders/:address", (c) => c.json(["other method", c.req.method]));
  return app;
}

test("a repeated request gets the route and the parameters of Hono's own router", async () => {
  const [own, memo] = [openApp(new Hono()), openApp(new Hono({ router: new MemoRouter() }))];
  const requests = ["GET /traders/a", "GET /traders/b", "GET /traders/a/fills/1", "POST /traders/a", "GET /none"];
  requests.push(`GET /traders/${"a".repeat(300)}`, "HEAD /traders/a");
  for (const request of [...requests, ...requests]) {
    const [method = "", path = ""] = request.split(" ");
    const [expected, actual] = await Promise.all([own.request(path, { method }), memo.request(path, { method })]);
    const describeResponse = async (response: Response) => [
      response.status,
      response.headers.get("x-path"),
      await response.text(),
    ];
    expect(await describeResponse(actual)).toEqual(await describeResponse(expected));
  }
});
