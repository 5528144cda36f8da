import { runUnderProjectNode } from "./bootstrap.mjs";

await runUnderProjectNode("scripts/checks/main.ts");
