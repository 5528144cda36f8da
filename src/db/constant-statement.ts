import { SQL, sql } from "drizzle-orm";
import { arrayText, type ArrayElement } from "./array-text.ts";
import { renderSql, type ArrayType } from "./sql.ts";

/** The parameters of a constant statement, as functions of its input. They take the place of `${value}` and `array`. */
export interface Parameters<Input> {
  readonly value: (of: (input: Input) => ArrayElement) => SQL;
  readonly array: (of: (input: Input) => readonly ArrayElement[], type: ArrayType) => SQL;
}

/**
 * A statement whose text never changes, only its parameters. Its text is rendered by the first use: for the statements of a page
 * of trades rendering takes as long as Postgres takes to execute them.
 *
 * @param build called once; whatever it reads apart from its parameters is constant
 * @returns the statement with the parameters of an input, to be executed. It cannot be a part of another statement.
 */
export function constantStatement<Input = void>(build: (parameters: Parameters<Input>) => SQL): (input: Input) => SQL {
  let rendered: { readonly sql: string; readonly params: readonly unknown[] } | null = null;
  const parameters: Parameters<Input> = {
    value: (of) => sql`${sql.param(new Computed<Input>(of))}`,
    array: (of, type) => sql`${sql.param(new Computed<Input>((input) => arrayText(of(input))))}::${sql.raw(type)}[]`,
  };
  return (input) => {
    rendered ??= renderSql(build(parameters));
    const { sql: text, params } = rendered;
    return new RenderedStatement(
      text,
      params.map((param) => (param instanceof Computed ? param.of(input) : param)),
    );
  };
}

class Computed<Input> {
  readonly of: (input: Input) => ArrayElement;

  constructor(of: (input: Input) => ArrayElement) {
    this.of = of;
  }
}

const AS_A_PART = {
  getSQL(): never {
    throw new Error("a constant statement cannot be a part of another one");
  },
};

class RenderedStatement extends SQL {
  readonly #text: string;
  readonly #params: unknown[];

  constructor(text: string, params: unknown[]) {
    super([AS_A_PART]);
    this.#text = text;
    this.#params = params;
  }

  override toQuery(): { sql: string; params: unknown[] } {
    return { sql: this.#text, params: this.#params };
  }
}
