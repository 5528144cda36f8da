/** The API's spelling of `/api/keys/regenerate`. */
export const REGENERATE_ALIAS = "/api/v1/keys/regenerate";

/** What the website answers on its own origin, as route patterns. Kept apart from the app, which is loaded only when it is asked for. */
export const WEB_PATHS = ["/api/auth/*", "/api/keys", "/api/keys/*", REGENERATE_ALIAS] as const;
