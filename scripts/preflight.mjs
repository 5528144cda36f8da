import { runUnderProjectNode } from "./bootstrap.mjs";

await runUnderProjectNode("scripts/preflight/main.ts");
