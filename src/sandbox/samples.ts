import { z } from "zod";
import { sandboxKeyOf } from "../auth/api-key-format.ts";
import type { Reason } from "../api/errors.ts";
import type { Config } from "../config.ts";

/** Hosts in the documented examples. */
export const EXAMPLE_API = "https://api.example.com";
export const EXAMPLE_WEB = "https://www.example.com";
export const EXAMPLE_SANDBOX = "https://sandbox.example.com";

const Json = z.record(z.string(), z.unknown());

const OperationSample = z.strictObject({
  /** The envelope without the shared fields of `meta`; null where the response has none. */
  body: Json.nullable(),
  /** The bodies of the other views of an operation whose response depends on its parameter `view`, by view. */
  views: z.record(z.string(), Json).optional(),
  /** The document of a text operation. */
  text: z.string().optional(),
  /** The path of the file that a redirect leads to. */
  file: z.string().optional(),
  /** By documented error status, the reason of its sample. */
  errors: z.record(z.string(), z.string()),
});

const SampleFile = z.strictObject({
  content: z.string(),
  content_type: z.string(),
  file_name: z.string(),
});

/** What `scripts/sandbox` writes and the sandbox serves. */
export const Samples = z.strictObject({
  operations: z.record(z.string(), OperationSample),
  /** By the folder of their path. */
  files: z.record(z.string(), SampleFile),
});

export type Samples = z.output<typeof Samples>;
export type OperationSample = z.output<typeof OperationSample>;

/** @returns null for a status that the operation does not document */
export const reasonOf = ({ errors }: OperationSample, status: string): Reason | null =>
  // The build writes reasons of the catalogue; a test compares them.
  Object.hasOwn(errors, status) ? (errors[status] as Reason) : null;

/** The sandbox key among the examples: its digits, then the checksum under the prefix of the examples. */
const EXAMPLE_KEY = /svc_sk_test_([0-9a-f]{56})[0-9a-f]{8}/;

/** The stored samples with the addresses and the key prefix of this deployment. */
export async function parseSamples(stored: string, config: Config): Promise<Samples> {
  if (!EXAMPLE_KEY.test(stored)) throw new Error("the samples have no sandbox key");
  return Samples.parse(JSON.parse(await placeKeyInDeployment(placeInDeployment(stored, config), config)));
}

/** A generated text with the addresses, the key prefix and a valid sandbox key of this deployment. */
export async function placeTextInDeployment(text: string, config: Config): Promise<string> {
  const placed = await placeKeyInDeployment(placeInDeployment(text, config), config);
  return placed.replaceAll("svc_sk_", `${config.keyPrefix}_sk_`);
}

async function placeKeyInDeployment(text: string, { keyPrefix }: Config): Promise<string> {
  const [exampleKey, digits] = EXAMPLE_KEY.exec(text) ?? [];
  if (exampleKey === undefined || digits === undefined) return text;
  return text.replaceAll(exampleKey, await sandboxKeyOf(keyPrefix, digits));
}

/** A generated text with the addresses of this deployment in place of those of the examples. */
export const placeInDeployment = (text: string, { apiBaseUrl, webBaseUrl, sandboxBaseUrl }: Config): string =>
  text
    .replaceAll(EXAMPLE_API, apiBaseUrl)
    .replaceAll(EXAMPLE_WEB, webBaseUrl)
    .replaceAll(EXAMPLE_SANDBOX, sandboxBaseUrl);
