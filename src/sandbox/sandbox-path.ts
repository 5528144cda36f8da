import type { Config } from "../config.ts";

/** The path of the sandbox's base URL; empty on a host of its own. */
export const sandboxPath = ({ sandboxBaseUrl }: Pick<Config, "sandboxBaseUrl">): string =>
  new URL(sandboxBaseUrl).pathname.replace(/\/$/, "");
