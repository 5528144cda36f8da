/** Built by scripts/build-web.mjs. */
export { openWebsite } from "../web/web-app.ts";
