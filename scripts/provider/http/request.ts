import type { ProviderWorld } from "../provider-world.ts";

export type Service = "data" | "gamma" | "clob";

export interface ProviderRequest {
  readonly service: Service;
  readonly path: string;
  /** Path parts captured by the route's pattern. */
  readonly captured: readonly string[];
  readonly query: Query;
  readonly body: unknown;
  readonly world: ProviderWorld;
  /** Set by a fault: return at most half of a page's rows, with a cursor that continues after them. */
  readonly shortPage: boolean;
}

export interface ProviderResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

export interface Route {
  readonly service: Service;
  readonly method: "GET" | "POST";
  /** Matches the path after the service's prefix. */
  readonly pattern: RegExp;
  handle(request: ProviderRequest): ProviderResponse;
}

export const ok = (body: unknown): ProviderResponse => ({ status: 200, body });

/** A refused request; the server writes it in the service's own error body. */
export class Refusal extends Error {
  readonly status: number;
  readonly parameter: string | null;
  constructor(status: number, message: string, parameter: string | null = null) {
    super(message);
    this.status = status;
    this.parameter = parameter;
  }
}

/** Query parameters. Unknown names are ignored, as at the provider. */
export class Query {
  readonly #values = new Map<string, string[]>();

  /** @param snakeCase whether camelCase names count as their snake_case twins, as in the Data API */
  constructor(search: URLSearchParams, snakeCase: boolean) {
    for (const [name, value] of search) {
      const key = snakeCase ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
      this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The first value; null when absent or empty. */
  text(name: string): string | null {
    return this.all(name)[0] || null;
  }

  /** @throws Refusal 400 when the value is present and not a number from `minimum` to `maximum` */
  number(name: string, fallback: number, minimum: number, maximum: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (!Number.isFinite(value) || value < minimum || value > maximum) {
      throw new Refusal(400, `${name} must be a number from ${minimum} to ${maximum}`, name);
    }
    return value;
  }

  /** @throws Refusal 400 when the value is present and not one of `choices` (compared without case) */
  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const text = this.text(name);
    if (text === null) return fallback;
    const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw new Refusal(400, `${name} must be one of ${choices.join(", ")}`, name);
    return found;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.choice(name, ["true", "false"], fallback ? "true" : "false") === "true";
  }
}
