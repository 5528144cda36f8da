import { runUnderProjectNode } from "./bootstrap.mjs";

await runUnderProjectNode("scripts/bench/main.ts");
