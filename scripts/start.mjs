import { runUnderProjectNode } from "./bootstrap.mjs";

await runUnderProjectNode("scripts/start/main.ts");
