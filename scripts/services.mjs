import { runUnderProjectNode } from "./bootstrap.mjs";

await runUnderProjectNode("scripts/services/main.ts");
