/** Built by scripts/build/build-web.mjs. */
export { handleOAuth } from "../oauth/oauth-app.ts";
