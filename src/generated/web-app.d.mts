/** Built by scripts/build-web.mjs. */
export { createWebApp } from "../web/web-app.ts";
