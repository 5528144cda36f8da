import { MAGIC, SYNC_BYTES, type AvroRecord, type AvroType, type AvroValue } from "./avro-types.ts";

const decoder = new TextDecoder();

export interface AvroFile {
  readonly schema: AvroRecord;
  readonly metadata: Readonly<Record<string, string>>;
  readonly records: readonly { readonly [name: string]: AvroValue }[];
}

/**
 * Reads an object container file, by the schema that it was written with. Codecs: `null` and `deflate`, which
 * every writer has.
 *
 * @throws Error for bytes that are no such file, for another codec and for a schema that is no record
 */
export async function readAvro(bytes: Uint8Array): Promise<AvroFile> {
  const reader = new Reader(bytes);
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) throw new Error("Avro: not an object container file");
  reader.take(MAGIC.length);
  const header = reader.map(() => reader.sized());
  const metadata = Object.fromEntries(Object.entries(header).map(([key, value]) => [key, decoder.decode(value)]));
  const schema = parseSchema(metadata["avro.schema"] ?? "");
  const codec = metadata["avro.codec"] ?? "null";
  const sync = reader.take(SYNC_BYTES);
  const records: { readonly [name: string]: AvroValue }[] = [];
  while (!reader.isAtEnd) {
    const count = reader.integer();
    const block = new Reader(await decompress(codec, reader.sized()));
    for (let index = 0; index < count; index++) records.push(block.record(schema));
    if (!block.isAtEnd) throw new Error("Avro: a block has more bytes than its records");
    if (reader.take(SYNC_BYTES).some((byte, index) => byte !== sync[index]))
      throw new Error("Avro: a block is damaged");
  }
  return { schema, metadata, records };
}

function parseSchema(text: string): AvroRecord {
  // Written by a catalog's clients; a type that it does not know makes the reader fail.
  const schema = JSON.parse(text) as AvroType;
  if (typeof schema !== "object" || !("type" in schema) || schema.type !== "record")
    throw new Error("Avro: the schema is no record");
  return schema;
}

async function decompress(codec: string, bytes: Uint8Array): Promise<Uint8Array> {
  if (codec === "null") return bytes;
  if (codec !== "deflate") throw new Error(`Avro: the codec ${codec} is not supported`);
  const stream = new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Reader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  take(length: number): Uint8Array {
    const end = this.#offset + length;
    if (!(length >= 0 && end <= this.#bytes.length)) throw new Error("Avro: the file ends early");
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  long(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(this.take(1)[0] ?? 0);
      value |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) break;
      if (shift > 56n) throw new Error("Avro: a number is longer than 64 bits");
    }
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }

  integer(): number {
    return Number(this.long());
  }

  sized(): Uint8Array {
    return this.take(this.integer());
  }

  record({ fields }: AvroRecord): { readonly [name: string]: AvroValue } {
    return Object.fromEntries(fields.map(({ name, type }) => [name, this.value(type)]));
  }

  array<T>(item: () => T): T[] {
    const items: T[] = [];
    for (let count = this.integer(); count !== 0; count = this.integer()) {
      // A negative count is followed by the size of the block, for readers that skip it.
      if (count < 0) this.integer();
      for (let index = 0; index < Math.abs(count); index++) items.push(item());
    }
    return items;
  }

  map<T>(value: () => T): Record<string, T> {
    return Object.fromEntries(this.array(() => [decoder.decode(this.sized()), value()] as const));
  }

  value(type: AvroType): AvroValue {
    if (typeof type === "string") return this.#primitive(type);
    if ("length" in type) {
      const branch = type[this.integer()];
      if (branch === undefined) throw new Error("Avro: a union has no such branch");
      return this.value(branch);
    }
    if (type.type === "record") return this.record(type);
    if (type.type === "array") return this.array(() => this.value(type.items));
    if (type.type === "map") return this.map(() => this.value(type.values));
    if (type.type === "fixed") return this.take(type.size);
    return this.#primitive(type.type);
  }

  #primitive(type: string): AvroValue {
    switch (type) {
      case "null":
        return null;
      case "boolean":
        return this.take(1)[0] === 1;
      case "int":
        return this.integer();
      case "long":
        return this.long();
      case "float":
        return this.#view(4).getFloat32(0, true);
      case "double":
        return this.#view(8).getFloat64(0, true);
      case "bytes":
        return this.sized();
      case "string":
        return decoder.decode(this.sized());
      default:
        throw new Error(`Avro: the type ${type} is not supported`);
    }
  }

  #view(length: number): DataView {
    const bytes = this.take(length);
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  }
}
