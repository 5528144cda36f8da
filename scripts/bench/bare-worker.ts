import { Hono } from "hono";

/** The floor: what the runtime and router cost when an operation does nothing. */
const app = new Hono();
app.get("/bare", (c) => c.json({ object: "bare", data: [] }));

export default app;
