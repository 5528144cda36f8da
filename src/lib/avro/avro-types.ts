/*
 * Avro 1.11, binary encoding and object container files. avsc, the usual library, generates code with
 * `new Function`, which workerd refuses; icebird can write neither maps nor the metadata of a file.
 */

export type AvroPrimitive = "null" | "boolean" | "int" | "long" | "float" | "double" | "bytes" | "string";

export interface AvroField {
  readonly name: string;
  readonly type: AvroType;
  /** Iceberg's number of the field. */
  readonly "field-id"?: number;
  readonly default?: null;
}

export interface AvroRecord {
  readonly type: "record";
  readonly name: string;
  readonly fields: readonly AvroField[];
}

export type AvroType =
  | AvroPrimitive
  | readonly AvroType[]
  | AvroRecord
  | { readonly type: AvroPrimitive; readonly logicalType?: string }
  | { readonly type: "array"; readonly items: AvroType; readonly "element-id"?: number }
  | { readonly type: "map"; readonly values: AvroType }
  | { readonly type: "fixed"; readonly name: string; readonly size: number };

/** `int` is a number, `long` a bigint, a record or a map an object. */
export type AvroValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly AvroValue[]
  | { readonly [name: string]: AvroValue };

/** "Obj" and the version of the format. */
export const MAGIC = Uint8Array.of(0x4f, 0x62, 0x6a, 0x01);
export const SYNC_BYTES = 16;
