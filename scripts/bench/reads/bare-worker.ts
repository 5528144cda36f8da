import { neon, neonConfig } from "@neondatabase/serverless";
import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";

interface Bindings {
  readonly DATABASE_URL: string;
  readonly NEON_HTTP_ENDPOINT: string;
  readonly BARE_OBJECT: DurableObjectNamespace<BareObject>;
}

/** The cost of any object that stores something before it responds. */
export class BareObject extends DurableObject<Bindings> {
  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    state.storage.sql.exec("create table if not exists counted (one integer primary key, requests integer not null)");
  }

  count(): void {
    this.ctx.storage.sql.exec("insert into counted values (1, 1) on conflict do update set requests = requests + 1");
  }
}

/**
 * The floors: the cost of runtime and router when an operation does nothing, with one call of the caller's
 * object that stores, and with one statement that reads nothing.
 */
const app = new Hono<{ Bindings: Bindings }>();
app.get("/bare", (c) => c.json({ object: "bare", data: [] }));
app.get("/stored", async (c) => {
  await c.env.BARE_OBJECT.getByName(c.req.header("cf-connecting-ip") ?? "").count();
  return c.json({ object: "bare", data: [] });
});
app.get("/select", async (c) => {
  neonConfig.fetchEndpoint = c.env.NEON_HTTP_ENDPOINT;
  return c.json({ object: "bare", data: await neon(c.env.DATABASE_URL).query("select 1") });
});

export default app;
