/** Built by scripts/build/build-web.ts. */
export { handleOAuth } from "../oauth/oauth-app.ts";
