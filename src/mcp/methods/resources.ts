import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import type { Exchange } from "../../api/exchange.ts";
import type { TextOperation } from "../../api/operation.ts";
import type { McpTexts } from "../mcp-texts.ts";
import { invalidParams, RPC_CODES, RpcError, type Json } from "../protocol/json-rpc.ts";
import { isTransportFailure, presentFailure } from "../tools/present-failure.ts";
import { runInternally } from "../tools/run-internally.ts";

const SCHEME = "activity://";
const API_PATH = "/api/v1/";
const METHODOLOGY_URI = `${SCHEME}docs/methodology.md`;
const MARKDOWN = "text/markdown";

export const presentResources = (): string =>
  JSON.stringify({
    resources: [
      {
        uri: METHODOLOGY_URI,
        name: "methodology",
        title: "Methodology",
        description: "How grades, scores, profits and signals are computed, with their formulas and sources.",
        mimeType: MARKDOWN,
      },
    ],
  });

/** One template for each operation that returns a document: its path below the API, under our own scheme. */
export const presentTemplates = (documents: readonly TextOperation[]): string =>
  JSON.stringify({
    resourceTemplates: documents.map(({ id, path, summary, description }) => ({
      uriTemplate: uriOf(path),
      name: id,
      title: summary.replace(/\.$/, ""),
      description: description ?? summary,
      mimeType: MARKDOWN,
    })),
  });

const uriOf = (path: string): string => SCHEME + path.slice(API_PATH.length);

const ReadParams = z.looseObject({ uri: z.string().max(2_000) });

export interface ReadResource {
  readonly result: string;
  /** Whether the text is the same for every caller. */
  readonly isPublic: boolean;
}

/**
 * Reads a resource. The methodology is public; a document needs a key and is charged like the same REST request.
 *
 * @param admitAddress spends the IP budget of a read that reaches no operation
 * @param notFoundCode the code of the revision for an unknown resource
 * @throws RpcError for an unknown resource and for failures of the document, ApiError where HTTP reports the failure
 */
export async function readResource(
  params: Json,
  { documents, texts }: { readonly documents: readonly TextOperation[]; readonly texts: McpTexts },
  exchange: Exchange,
  admitAddress: () => Promise<void>,
  notFoundCode: number,
): Promise<ReadResource> {
  const uri = ReadParams.safeParse(params).data?.uri;
  const found = uri === undefined ? undefined : documents.find(({ path }) => matches(path, uri));
  if (uri === undefined || found === undefined) {
    await admitAddress();
    if (uri === undefined) throw invalidParams("resources/read requires params.uri, a string.");
    if (uri !== METHODOLOGY_URI) throw notFound(uri, notFoundCode);
    return { result: presentContents(uri, await texts.loadMethodology()), isPublic: true };
  }
  exchange.trace.operation = found.id;
  try {
    const text = await runInternally(found, { target: API_PATH + uri.slice(SCHEME.length), body: null }, exchange);
    return { result: presentContents(uri, text), isPublic: false };
  } catch (error) {
    if (error instanceof ApiError && isTransportFailure(error)) throw error;
    const failure = await presentFailure(error, exchange);
    if (failure.status === 404) throw notFound(uri, notFoundCode, failure.error);
    // Codes outside the range that JSON-RPC reserves are ours: the status of the same REST request.
    throw new RpcError(failure.status, failure.message, { data: { uri, error: failure.error } });
  }
}

/** Whether a URI has the form of an operation's path. */
function matches(path: string, uri: string): boolean {
  const actual = uri.split("/");
  const pattern = uriOf(path).split("/");
  return (
    actual.length === pattern.length &&
    pattern.every((segment, index) =>
      segment.startsWith("{") ? /^[^?#]+$/.test(actual[index] ?? "") : segment === actual[index],
    )
  );
}

const presentContents = (uri: string, text: string): string =>
  JSON.stringify({ contents: [{ uri, mimeType: MARKDOWN, text }] });

const notFound = (uri: string, code: number, error?: Json): RpcError =>
  new RpcError(code, "Resource not found. resources/list and resources/templates/list name all resources.", {
    data: { uri, ...(error === undefined ? {} : { error }) },
  });

/** @param isStateless whether the revision is 2026-07-28, which has no code of its own */
export const notFoundCodeOf = (isStateless: boolean): number =>
  isStateless ? RPC_CODES.invalid_params : RPC_CODES.resource_not_found;
