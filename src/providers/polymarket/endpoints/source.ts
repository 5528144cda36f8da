import type { Config } from "../../../config.ts";
import type { ProviderHttp } from "../http/provider-http.ts";

/** The URLs and the HTTP client that every endpoint uses. */
export interface Source {
  readonly urls: Pick<Config["provider"], "gammaUrl" | "dataUrl" | "clobUrl">;
  readonly http: ProviderHttp;
  /**
   * Returns a string that differs on every call. The Data API's edge caches by whole URL, so a changing
   * parameter bypasses the cache.
   */
  readonly cacheBuster: () => string;
}
