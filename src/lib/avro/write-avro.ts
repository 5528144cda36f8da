import { joinBytes } from "../join-bytes.ts";
import { MAGIC, SYNC_BYTES, type AvroRecord, type AvroType, type AvroValue } from "./avro-types.ts";

const encoder = new TextEncoder();

/**
 * Writes records as an object container file of one block, not compressed.
 *
 * @param metadata entries of the header, without the schema and the codec
 * @param sync the marker between blocks, 16 bytes; the same file is written for the same marker
 * @throws TypeError for a value that its type cannot have
 */
export function writeAvro(
  schema: AvroRecord,
  records: readonly AvroValue[],
  metadata: Readonly<Record<string, string>>,
  sync: Uint8Array,
): Uint8Array {
  if (sync.length !== SYNC_BYTES) throw new RangeError(`a sync marker has ${SYNC_BYTES} bytes`);
  const entries = Object.entries({ ...metadata, "avro.schema": JSON.stringify(schema), "avro.codec": "null" });
  const header: Uint8Array[] = [MAGIC, varint(BigInt(entries.length))];
  for (const [key, value] of entries) header.push(...sized(encoder.encode(key)), ...sized(encoder.encode(value)));
  header.push(varint(0n), sync);
  if (records.length === 0) return joinBytes(header);
  const body = joinBytes(records.flatMap((record) => encode(schema, record)));
  return joinBytes([...header, varint(BigInt(records.length)), ...sized(body), sync]);
}

const sized = (bytes: Uint8Array): Uint8Array[] => [varint(BigInt(bytes.length)), bytes];

/** A zigzag number in groups of seven bits, the lowest first. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...bytes, Number(rest));
}

function encode(type: AvroType, value: AvroValue): Uint8Array[] {
  if (isUnion(type)) {
    // Unions here are of null and one other type.
    const branch = type.findIndex((option) => (nameOf(option) === "null") === (value === null));
    const chosen = type[branch];
    if (chosen === undefined) throw mismatch(type, value);
    return [varint(BigInt(branch)), ...encode(chosen, value)];
  }
  if (typeof type === "object" && type.type === "record") {
    if (!isObject(value)) throw mismatch(type, value);
    return type.fields.flatMap(({ name, type: own }) => encode(own, value[name] ?? null));
  }
  if (typeof type === "object" && type.type === "array") {
    if (!isList(value)) throw mismatch(type, value);
    const items = value.flatMap((item) => encode(type.items, item));
    return value.length === 0 ? [varint(0n)] : [varint(BigInt(value.length)), ...items, varint(0n)];
  }
  return encodePrimitive(nameOf(type), value) ?? fail(type, value);
}

function encodePrimitive(name: string, value: AvroValue): Uint8Array[] | null {
  switch (name) {
    case "null":
      return value === null ? [] : null;
    case "boolean":
      return typeof value === "boolean" ? [Uint8Array.of(Number(value))] : null;
    case "int":
      return typeof value === "number" && value === (value | 0) ? [varint(BigInt(value))] : null;
    case "long":
      return typeof value === "bigint" && value === BigInt.asIntN(64, value) ? [varint(value)] : null;
    case "bytes":
      return value instanceof Uint8Array ? sized(value) : null;
    case "string":
      return typeof value === "string" ? sized(encoder.encode(value)) : null;
    default:
      return null;
  }
}

const isUnion = (type: AvroType): type is readonly AvroType[] => Array.isArray(type);
const isList = (value: AvroValue): value is readonly AvroValue[] => Array.isArray(value);
const isObject = (value: AvroValue): value is { readonly [name: string]: AvroValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
const nameOf = (type: AvroType): string => (typeof type === "string" ? type : isUnion(type) ? "union" : type.type);
const mismatch = (type: AvroType, value: AvroValue): TypeError =>
  new TypeError(`Avro: ${typeof value} is not a value of ${nameOf(type)}`);

function fail(type: AvroType, value: AvroValue): never {
  throw mismatch(type, value);
}
