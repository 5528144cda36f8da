/** Built by scripts/build/build-web.ts. */
export { openWebsite } from "../web/web-app.ts";
