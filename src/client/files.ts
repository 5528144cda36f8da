import { ClientError, ConnectionError, InvalidResponseError } from "./api-error.ts";
import { buildRequest, factsOf } from "./build-request.ts";
import { headersOf, isHidden, withTimeout } from "./call.ts";
import type { ClientSettings } from "./client-settings.ts";
import type { AnswerOf, Methods, OperationId, ParamsOf } from "./operation-types.ts";
import { readError } from "./read-error.ts";
import { sha256Hex } from "./proofs/sha256.ts";

type ExportStatus = AnswerOf<"getTraderExportStatus">;
type DatasetStatus = AnswerOf<"getWhaleDatasetStatus">;
export type FileJob = ExportStatus["data"] | DatasetStatus["data"];

export interface FileOptions {
  readonly signal?: AbortSignal;
  /** Called with each state of the job. */
  readonly onProgress?: (job: FileJob) => void;
}

/** The file of a job that is ready. */
export interface ReadyFile<Status> {
  /** The response of the job's status. It has the signed manifest: store it with the file. */
  readonly status: Status;
  /** Opens the download. Its bytes are not checked. */
  open(): Promise<Response>;
  /** The whole content, decompressed, whose size and SHA-256 are those of the manifest. It is in memory. */
  content(): Promise<Uint8Array<ArrayBuffer>>;
}

export interface Files {
  /** Submits an export of one trader and waits until it is ready. */
  traderExport(params: ParamsOf<"submitTraderExport">, options?: FileOptions): Promise<ReadyFile<ExportStatus>>;
  /** Submits a dataset of large trades and waits until it is ready. */
  whaleDataset(body: ParamsOf<"submitWhaleDataset">["body"], options?: FileOptions): Promise<ReadyFile<DatasetStatus>>;
}

/** The job ended without a file. */
export class JobFailedError extends ClientError {
  override name = "JobFailedError";
  readonly job: FileJob;
  constructor(job: FileJob) {
    super(`job ${job.job_id} is ${job.status}${job.error === null ? "" : `: ${job.error}`}`);
    this.job = job;
  }
}

export function openFiles(settings: ClientSettings, methods: Methods): Files {
  return {
    async traderExport(params, options = {}) {
      const submitted = await methods.submitTraderExport(params, { signal: options.signal });
      const job = { address: params.address, job_id: submitted.data.job_id };
      const read = () => methods.getTraderExportStatus(job, { signal: options.signal });
      return readyFile(settings, await waitFor(settings, read, options), "downloadTraderExport", job, options);
    },
    async whaleDataset(body, options = {}) {
      const submitted = await methods.submitWhaleDataset({ body }, { signal: options.signal });
      const job = { job_id: submitted.data.job_id };
      const read = () => methods.getWhaleDatasetStatus(job, { signal: options.signal });
      return readyFile(settings, await waitFor(settings, read, options), "downloadWhaleDataset", job, options);
    },
  };
}

const DEFAULT_POLL_SECONDS = 5;

/** Polls as often as the job asks for. @throws JobFailedError */
async function waitFor<Status extends { readonly data: FileJob }>(
  { sleep }: ClientSettings,
  read: () => Promise<Status>,
  { signal, onProgress }: FileOptions,
): Promise<Status> {
  for (;;) {
    const status = await read();
    onProgress?.(status.data);
    if (status.data.status === "ready") return status;
    if (status.data.terminal) throw new JobFailedError(status.data);
    await sleep((status.data.poll_after_s ?? DEFAULT_POLL_SECONDS) * 1000, signal);
  }
}

function readyFile<Status extends { readonly data: FileJob }>(
  settings: ClientSettings,
  status: Status,
  id: OperationId,
  params: Readonly<Record<string, unknown>>,
  { signal }: FileOptions,
): ReadyFile<Status> {
  const open = () => openDownload(settings, id, params, signal);
  async function content(): Promise<Uint8Array<ArrayBuffer>> {
    const manifest = status.data.artifact?.manifest;
    if (manifest == null) throw new InvalidResponseError("the job is ready and has no manifest");
    const response = await open();
    const buffer = await response.arrayBuffer().catch((error: unknown) => {
      throw new ConnectionError("the download broke off", { cause: error });
    });
    const bytes = new Uint8Array(buffer);
    const digest = await sha256Hex(bytes);
    if (bytes.length !== manifest.content_size_bytes || digest !== manifest.content_sha256)
      throw new InvalidResponseError(
        `the file has ${bytes.length} bytes with SHA-256 ${digest}, its manifest says ` +
          `${manifest.content_size_bytes} bytes with ${manifest.content_sha256}`,
      );
    return bytes;
  }
  return { status, open, content };
}

/** Follows the redirect of a download. The signed link gets no header: the key stays with the API. */
async function openDownload(
  settings: ClientSettings,
  id: OperationId,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const operation = factsOf(id);
  const url = `${settings.baseUrl}${buildRequest(operation, params).target}`;
  const headers = await headersOf(settings, operation, undefined, {});
  const request = (target: string, init: RequestInit) =>
    withTimeout(settings.timeoutMs, signal, (own) => settings.fetch(target, { ...init, signal: own }));
  const redirect = await request(url, { headers, redirect: "manual" });
  const location = redirect.headers.get("location");
  // Browsers hide the redirect; when they follow it they leave out the key on another origin.
  const file = isHidden(redirect)
    ? await request(url, { headers })
    : redirect.status === 302 && location !== null
      ? await request(location, {})
      : redirect;
  if (file.ok && file !== redirect) return file;
  throw readError(file.status, file.headers, await file.text(), settings.now());
}
