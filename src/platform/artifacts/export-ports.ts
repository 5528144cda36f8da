import type { Config } from "../../config.ts";
import type { Env } from "../../env.ts";
import type { ExportMessage } from "../../messages/export-message.ts";
import { createFileLink, type FileLink } from "./file-link.ts";

/** The external dependencies of export jobs, as operations use them. */
export interface ExportPorts {
  /** @throws when the queue does not accept the message; the next sweep then finds the job */
  readonly enqueue: (message: ExportMessage) => Promise<void>;
  /** An absolute URL under which a file can be fetched without a credential. */
  readonly createLink: (link: FileLink, now: Date) => Promise<string>;
}

export const openExportPorts = (config: Config, { EXPORTS_QUEUE }: Pick<Env, "EXPORTS_QUEUE">): ExportPorts => ({
  enqueue: async (message) => void (await EXPORTS_QUEUE.send(message)),
  createLink: (link, now) => createFileLink(config, link, now),
});
