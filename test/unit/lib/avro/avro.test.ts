import avsc from "avsc";
import { describe, expect, test } from "vitest";
import type { AvroRecord, AvroValue } from "../../../../src/lib/avro/avro-types.ts";
import { readAvro } from "../../../../src/lib/avro/read-avro.ts";
import { writeAvro } from "../../../../src/lib/avro/write-avro.ts";

const SYNC = Uint8Array.from({ length: 16 }, (_, index) => index);

/** All types that manifests of Iceberg use. */
const SCHEMA: AvroRecord = {
  type: "record",
  name: "sample",
  fields: [
    { name: "path", type: "string", "field-id": 500 },
    { name: "length", type: "long" },
    { name: "status", type: "int" },
    { name: "day", type: ["null", { type: "int", logicalType: "date" }], default: null },
    { name: "flag", type: "boolean" },
    { name: "bound", type: ["null", "bytes"] },
    {
      name: "parts",
      type: ["null", { type: "array", items: { type: "record", name: "part", fields: [{ name: "n", type: "long" }] } }],
    },
  ],
};
const RECORDS: { readonly [name: string]: AvroValue }[] = [
  {
    ...{ path: "s3://archive/Größe", length: 9223372036854775807n, status: -2147483648, day: 20_000, flag: true },
    ...{ bound: Uint8Array.of(0, 255), parts: [{ n: -1n }, { n: 64n }] },
  },
  { path: "", length: -9223372036854775808n, status: 2147483647, day: null, flag: false, bound: null, parts: [] },
];

/** avsc with 64-bit numbers as bigints. */
const registry = {
  // oxlint-disable-next-line no-underscore-dangle -- the published name of the library
  long: avsc.types.LongType.__with({
    fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
    toBuffer: (value: bigint) => {
      const buffer = Buffer.alloc(8);
      buffer.writeBigInt64LE(value);
      return buffer;
    },
    ...{ fromJSON: BigInt, toJSON: Number, isValid: (value: unknown) => typeof value === "bigint" },
    compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0),
  }),
};

async function readWithAvsc(bytes: Uint8Array): Promise<unknown[]> {
  const decoder = new avsc.streams.BlockDecoder({
    parseHook: (schema) => avsc.Type.forSchema(schema, { registry: { ...registry }, wrapUnions: false }),
  });
  const records: unknown[] = [];
  decoder.on("data", (record) => records.push(record));
  const ended = new Promise((resolve, reject) => decoder.on("end", resolve).on("error", reject));
  decoder.end(Buffer.from(bytes));
  await ended;
  return JSON.parse(JSON.stringify(records, plain));
}

const plain = (_: string, value: unknown): unknown =>
  typeof value === "bigint"
    ? String(value)
    : value instanceof Uint8Array
      ? [...value]
      : typeof value === "object" && value !== null && "data" in value
        ? value.data
        : value;

describe("an Avro file", () => {
  test("is read by avsc", async () => {
    const bytes = writeAvro(SCHEMA, RECORDS, { content: "data" }, SYNC);
    expect(await readWithAvsc(bytes)).toEqual(JSON.parse(JSON.stringify(RECORDS, plain)));
  });

  test.each(["null", "deflate"] as const)("of avsc is read, with the codec %s", async (codec) => {
    const type = avsc.Type.forSchema(SCHEMA as never, { registry: { ...registry }, wrapUnions: false });
    const encoder = new avsc.streams.BlockEncoder(type, { codec, metadata: { content: Buffer.from("data") } } as never);
    const chunks: Buffer[] = [];
    encoder.on("data", (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve) => encoder.on("end", resolve));
    const buffers = (record: (typeof RECORDS)[number]) => ({
      ...record,
      bound: record["bound"] instanceof Uint8Array ? Buffer.from(record["bound"]) : null,
    });
    for (const record of RECORDS) encoder.write(buffers(record));
    encoder.end();
    await ended;
    const { records, metadata } = await readAvro(Buffer.concat(chunks));
    expect(JSON.stringify(records, plain)).toBe(JSON.stringify(RECORDS, plain));
    expect(metadata["content"]).toBe("data");
  });

  test("is the same for the same records", () => {
    const write = () => Buffer.from(writeAvro(SCHEMA, RECORDS, {}, SYNC)).toString("hex");
    expect(write()).toBe(write());
  });

  // Apache Avro 1.11 specification, "Binary Encoding": the examples of int, string, record and array.
  test("encodes as the examples of the specification", async () => {
    const block = (schema: AvroRecord, record: { readonly [name: string]: AvroValue }) => {
      const bytes = Buffer.from(writeAvro(schema, [record], {}, SYNC));
      return bytes.subarray(bytes.indexOf(SYNC) + 18, -16).toString("hex");
    };
    const one = (type: AvroRecord["fields"][number]["type"]): AvroRecord => ({
      ...{ type: "record", name: "test", fields: [{ name: "a", type }] },
    });
    const ints = [0, -1, 1, -2, 2, -64, 64].map((a) => block(one("int"), { a }));
    expect(ints).toEqual(["00", "01", "02", "03", "04", "7f", "8001"]);
    expect(block(one("string"), { a: "foo" })).toBe("06666f6f");
    expect(block(one({ type: "array", items: "long" }), { a: [3n, 27n] })).toBe("04063600");
    expect(block(one(["null", "string"]), { a: null })).toBe("00");
    expect(block(one(["null", "string"]), { a: "a" })).toBe("020261");
    const both: AvroRecord = {
      ...{ type: "record", name: "test" },
      fields: [
        { name: "a", type: "long" },
        { name: "b", type: "string" },
      ],
    };
    expect(block(both, { a: 27n, b: "foo" })).toBe("3606666f6f");
  });

  test("that is cut, damaged or of another format is refused", async () => {
    const bytes = writeAvro(SCHEMA, RECORDS, {}, SYNC);
    await expect(readAvro(bytes.subarray(0, -20))).rejects.toThrow("ends early");
    await expect(readAvro(bytes.with(bytes.length - 1, 99))).rejects.toThrow("damaged");
    await expect(readAvro(bytes.with(0, 0))).rejects.toThrow("not an object container file");
  });

  test("refuses a value of another type", () => {
    const wrong = (change: { readonly [name: string]: AvroValue }) => () =>
      writeAvro(SCHEMA, [{ ...RECORDS[1], ...change }], {}, SYNC);
    for (const change of [{ length: 1 }, { status: 1.5 }, { path: null }, { length: 2n ** 63n }, { parts: [{ n: 1 }] }])
      expect(wrong(change)).toThrow(TypeError);
  });
});
