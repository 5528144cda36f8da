import type { Config } from "../../../config.ts";
import type { ProviderHttp } from "../http/provider-http.ts";

/** What every endpoint reads through. */
export interface Source {
  readonly urls: Pick<Config["provider"], "gammaUrl" | "dataUrl" | "clobUrl">;
  readonly http: ProviderHttp;
  /** A text that differs from call to call. The Data API's edge caches by whole address, so a changing parameter is what makes an answer fresh. */
  readonly nonce: () => string;
}
