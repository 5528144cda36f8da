import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";

interface Bindings {
  readonly BARE_OBJECT: DurableObjectNamespace<BareObject>;
}

/** What any object costs that stores something before it answers. */
export class BareObject extends DurableObject<Bindings> {
  constructor(state: DurableObjectState, env: Bindings) {
    super(state, env);
    state.storage.sql.exec("create table if not exists counted (one integer primary key, requests integer not null)");
  }

  count(): void {
    this.ctx.storage.sql.exec("insert into counted values (1, 1) on conflict do update set requests = requests + 1");
  }
}

/** The floors: what the runtime and router cost when an operation does nothing, and with one call of the caller's object that stores. */
const app = new Hono<{ Bindings: Bindings }>();
app.get("/bare", (c) => c.json({ object: "bare", data: [] }));
app.get("/stored", async (c) => {
  await c.env.BARE_OBJECT.getByName(c.req.header("cf-connecting-ip") ?? "").count();
  return c.json({ object: "bare", data: [] });
});

export default app;
