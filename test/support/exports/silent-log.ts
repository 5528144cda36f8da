import type { Log } from "../../../src/platform/log/log.ts";

export const SILENT_LOG: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
