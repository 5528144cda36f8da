import type { z } from "zod";
import { backoff } from "../../lib/timing/backoff.ts";
import type { BlockHeader, BlockRange } from "../../platform/chain.ts";
import { MAX_RETRY_AFTER_MS, ProviderRefused, ProviderUnavailable } from "../../platform/provider.ts";
import { attemptCall, FailedAttempt, type AttemptSettings } from "../polymarket/http/attempt-call.ts";
import { describeIssues } from "../polymarket/payloads/parse-provider-records.ts";
import { EXCHANGES } from "./exchanges.ts";
import { classifyNodeError, RangeTooLarge } from "./node-error.ts";
import { BlockNumber, ChainId, ChainLogs, Header, RpcResponse } from "./payloads.ts";
import { redactAddress } from "./redact-address.ts";

export interface ChainNodeSettings extends AttemptSettings {
  /** It may contain a key, so no message has a part of it. */
  readonly url: string;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
  /** How often a call is made before it fails. By default 5. */
  readonly attempts?: number;
}

const ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 500;

/** A JSON-RPC node of the chain, over HTTP. Every response is parsed. Failed calls are repeated. */
export class ChainNode {
  readonly #settings: ChainNodeSettings;
  #lastId = 0;

  constructor(settings: ChainNodeSettings) {
    this.#settings = settings;
  }

  chainId(): Promise<number> {
    return this.#call("eth_chainId", [], ChainId);
  }

  /** The number of the newest block. */
  blockNumber(): Promise<number> {
    return this.#call("eth_blockNumber", [], BlockNumber);
  }

  /** @throws ProviderUnavailable when the node does not have the block */
  async header(number: number): Promise<BlockHeader> {
    const header = await this.#call("eth_getBlockByNumber", [quantity(number), false], Header);
    if (header === null) throw new ProviderUnavailable(`the node does not have block ${number}`, null);
    if (header.number !== number) throw new ProviderUnavailable("the node sent the header of another block", null);
    return header;
  }

  /**
   * The logs of fills and of matched orders in the blocks, as the node sent them.
   *
   * @throws RangeTooLarge when the node asks for fewer blocks
   */
  fillLogs({ from, to }: BlockRange): Promise<readonly unknown[]> {
    const filter = {
      fromBlock: quantity(from),
      toBlock: quantity(to),
      address: [...EXCHANGES.keys()],
      topics: [[...new Set([...EXCHANGES.values()].flatMap((events) => [events.orderFilled, events.ordersMatched]))]],
    };
    return this.#call("eth_getLogs", [filter], ChainLogs);
  }

  /**
   * @throws ProviderUnavailable when no attempt succeeded
   * @throws ProviderRefused when the node will never answer this call
   * @throws RangeTooLarge
   */
  async #call<Result>(method: string, params: readonly unknown[], schema: z.ZodType<Result>): Promise<Result> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.#callOnce(method, params, schema);
      } catch (error) {
        if (!(error instanceof FailedAttempt || error instanceof ProviderRefused)) throw error;
        const { message } = error;
        if (method === "eth_getLogs" && classifyNodeError(null, message) === "too_large")
          throw new RangeTooLarge(message, { cause: error });
        if (!(error instanceof FailedAttempt)) throw error;
        if (attempts === (this.#settings.attempts ?? ATTEMPTS))
          throw new ProviderUnavailable(`${method}: ${message}`, error.retryAfterMs, { cause: error });
        await this.#settings.clock.wait(this.#waitMs(attempts, error.retryAfterMs));
      }
    }
  }

  async #callOnce<Result>(method: string, params: readonly unknown[], schema: z.ZodType<Result>): Promise<Result> {
    this.#lastId += 1;
    const id = this.#lastId;
    const body = { jsonrpc: "2.0", id, method, params };
    const answer = await attemptCall({ url: this.#settings.url, body }, this.#settings).catch((error: unknown) => {
      throw this.#redacted(error);
    });
    const response = RpcResponse.safeParse(answer);
    if (!response.success) throw new FailedAttempt(`invalid response: ${describeIssues(response.error)}`, null);
    if (response.data.id !== id) throw new FailedAttempt("the response belongs to another call", null);
    if ("error" in response.data) {
      const { code } = response.data.error;
      const message = redactAddress(response.data.error.message, this.#settings.url);
      if (classifyNodeError(code, message) === "refused") throw new ProviderRefused(`${method}: ${message}`);
      throw new FailedAttempt(message, null);
    }
    const result = schema.safeParse(response.data.result);
    if (!result.success) throw new FailedAttempt(`invalid response: ${describeIssues(result.error)}`, null);
    return result.data;
  }

  /** Without its cause: runtimes repeat the address in errors of the network. */
  #redacted(error: unknown): Error {
    const message = redactAddress(error instanceof Error ? error.message : String(error), this.#settings.url);
    return error instanceof ProviderRefused
      ? new ProviderRefused(message)
      : new FailedAttempt(message, error instanceof FailedAttempt ? error.retryAfterMs : null);
  }

  /** Doubles with each attempt. The jitter prevents calls that failed together from being repeated together. */
  #waitMs(attempts: number, retryAfterMs: number | null): number {
    if (retryAfterMs !== null) return Math.min(MAX_RETRY_AFTER_MS, retryAfterMs);
    return backoff(attempts, FIRST_BACKOFF_MS) * (0.5 + this.#settings.random());
  }
}

const quantity = (value: number): string => `0x${value.toString(16)}`;
