import * as zod from "zod/v4";

/**
 * zod, whose schemas are built when they are first used. A Worker starts without most of its schemas, and an isolate
 * builds only those of the operations that it serves. `wrangler.toml` puts this module in the place of `zod`.
 *
 * A call that makes a schema is recorded. Everything else (`parse`, `shape`, `meta()`) builds the schema first.
 */

const FACTORIES =
  "any array bigint boolean discriminatedUnion email enum int literal looseObject null number object partialRecord preprocess record strictObject string tuple union unknown url uuid";
const METHODS =
  "array catch datetime default describe extend int lowercase max min multipleOf nonnegative nullable nullish omit optional partial pick pipe positive prefault readonly refine regex strict superRefine transform trim";

/**
 * A schema, or zod itself, by the names of its methods. zod types each method on its own, and a recorded call has only
 * a name and arguments, so schemas are cast to this type where a call is repeated.
 */
type Builder = Record<string, (...args: unknown[]) => zod.ZodType>;
type Registration = (schema: zod.ZodType) => void;

class DeferredSchema {
  #build: (() => zod.ZodType) | null;
  #schema: zod.ZodType | null = null;
  #registrations: Registration[] = [];

  constructor(build: () => zod.ZodType) {
    this.#build = build;
  }

  get schema(): zod.ZodType {
    if (this.#schema !== null) return this.#schema;
    if (this.#build === null) throw new Error("a schema needs itself to be built: use a getter or z.lazy");
    const build = this.#build;
    this.#build = null;
    try {
      this.#schema = build();
    } catch (error) {
      // Every use of a wrong declaration fails with its reason.
      this.#build = build;
      throw error;
    }
    for (const register of this.#registrations) register(this.#schema);
    return this.#schema;
  }

  parse(value: unknown): unknown {
    return this.schema.parse(value);
  }

  safeParse(value: unknown): unknown {
    return this.schema.safeParse(value);
  }

  meta(...args: unknown[]): unknown {
    return args.length === 0 ? this.schema.meta() : record(() => this.schema as unknown as Builder, "meta", args);
  }

  whenBuilt(register: Registration): void {
    if (this.#schema === null) this.#registrations.push(register);
    else register(this.#schema);
  }
}

// Whatever a deferred schema does not have itself is read from its schema.
Object.setPrototypeOf(
  DeferredSchema.prototype,
  new Proxy(Object.prototype, {
    get(_, key, { schema }: DeferredSchema) {
      const member: unknown = Reflect.get(schema, key);
      return typeof member === "function" ? (...args: unknown[]) => member.apply(schema, args.map(built)) : member;
    },
  }),
);

/** The call of a method by name, when its schema is needed. The names of FACTORIES and METHODS are all in zod. */
const record = (target: () => Builder, name: string, args: readonly unknown[]): DeferredSchema =>
  new DeferredSchema(() => (target()[name] as Builder[string])(...args.map(built)));

/** The value with schemas in place of deferred ones. */
function built(value: unknown): unknown {
  if (value instanceof DeferredSchema) return value.schema;
  if (Array.isArray(value)) return value.map(built);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy = {};
  for (const [key, { get, value: member }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    // A getter names a schema that is not declared yet, often the one that it is part of.
    const property =
      get === undefined ? { value: built(member), writable: true } : { get: () => built(get.call(value)) };
    Object.defineProperty(copy, key, { ...property, enumerable: true, configurable: true });
  }
  return copy;
}

for (const name of METHODS.split(" "))
  Object.defineProperty(DeferredSchema.prototype, name, {
    value(this: DeferredSchema, ...args: unknown[]) {
      return record(() => this.schema as unknown as Builder, name, args);
    },
  });

const factoriesOf = (target: object, names: string) =>
  Object.fromEntries(
    names.split(" ").map((name) => [name, (...args: unknown[]) => record(() => target as Builder, name, args)]),
  );

/** A registry to which a deferred schema is added when it is built. */
function registry() {
  const entries = zod.registry<Record<string, unknown>>();
  return {
    add: (deferred: DeferredSchema, entry: Record<string, unknown>) =>
      deferred.whenBuilt((schema) => entries.add(schema, entry)),
    get: (deferred: DeferredSchema) => entries.get(deferred.schema),
  };
}

// For libraries, which import its names; the bundle of the Worker has none that does.
export * from "zod/v4";

export const z = {
  ...zod,
  ...factoriesOf(zod, FACTORIES),
  iso: { ...zod.iso, ...factoriesOf(zod.iso, "date datetime") },
  coerce: { ...zod.coerce, ...factoriesOf(zod.coerce, "bigint boolean date number string") },
  registry,
  // It compares schemas by identity.
  toJSONSchema: (schema: unknown, params?: Parameters<typeof zod.toJSONSchema>[1]) =>
    // Callers of zod's own function can only pass schemas: the types of this module are zod's.
    zod.toJSONSchema(built(schema) as zod.ZodType, params),
};
