import { encodeExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { parseSchemaText, type Schema } from "@tfxio/schema";
import type { DataType, RecordBatch } from "apache-arrow";
import { seeded } from "./seeded.js";

/** A feature as JSON without loss: integers are decimal text, floats are their IEEE 754 bits, and bytes are base64. */
export type FeatureJson =
  | { readonly int64: readonly string[] }
  | { readonly float: readonly number[] }
  | { readonly bytes: readonly string[] };

/** A tf.Example as JSON, by feature name. Features that are absent or have no kind are omitted. */
export type RowJson = Readonly<Record<string, FeatureJson>>;

type Row = Readonly<Record<string, FeatureValues | null>>;

const edges: readonly Row[] = [
  {
    clicks: { kind: "int64", values: [2n ** 63n - 1n, -(2n ** 63n), 0n, -1n] },
    price: {
      kind: "float",
      values: [-0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** -149, 3.4028234663852886e38],
    },
    title: { kind: "bytes", values: [Uint8Array.of(0xff, 0, 0xfe), "", "é"] },
    pair: { kind: "float", values: [1, 2] },
  },
  {
    clicks: { kind: "int64", values: [] },
    price: { kind: "float", values: [] },
    title: { kind: "bytes", values: [] },
    pair: null,
  },
  { clicks: null, price: null, title: null },
  {},
];

/** Returns 300 rows: edge cases, followed by reproducible random values. `pair` has two values, has no kind, or is absent. */
export function exampleRows(): readonly Row[] {
  const below = seeded(1);
  const list = <Value>(value: () => Value): Value[] => Array.from({ length: below(4) }, value);
  const optional = (values: () => FeatureValues): FeatureValues | null => (below(5) === 0 ? null : values());
  const random = (): Row => ({
    clicks: optional(() => ({ kind: "int64", values: list(() => BigInt(below(2 ** 31)) ** 2n - 2n ** 61n) })),
    price: optional(() => ({ kind: "float", values: list(() => Math.fround(below(10_000) / 7)) })),
    title: optional(() => ({ kind: "bytes", values: list(() => Uint8Array.from(list(() => below(256)))) })),
    pair: optional(() => ({ kind: "float", values: [below(100), below(100) / 8] })),
  });
  return [...edges, ...Array.from({ length: 300 - edges.length }, random)];
}

/** A schema that all rows match. `pair` has a fixed length of 2. */
export const exampleSchema: Schema = parseSchemaText(`
  feature { name: "clicks" type: INT }
  feature { name: "price" type: FLOAT }
  feature { name: "title" type: BYTES }
  feature { name: "pair" type: FLOAT value_count { min: 2 max: 2 } }
`);

/** Encodes the rows as serialized tf.Examples with our encoder. */
export function encodeRows(rows: readonly Row[]): Uint8Array[] {
  return rows.map((row) => encodeExample(row));
}

/** Converts the rows to JSON. */
export function rowsJson(rows: readonly Row[]): RowJson[] {
  return rows.map((row) => {
    const present = Object.entries(row).filter(
      (entry): entry is [string, FeatureValues] => entry[1] !== null,
    );
    return Object.fromEntries(present.map(([name, feature]) => [name, featureJson(feature)]));
  });
}

/** Converts a feature to JSON. */
export function featureJson(feature: FeatureValues): FeatureJson {
  switch (feature.kind) {
    case "int64":
      return { int64: Array.from(feature.values, String) };
    case "float":
      return { float: bitsOf(feature.values) };
    case "bytes":
      return { bytes: feature.values.map((value) => Buffer.from(value).toString("base64")) };
  }
}

/** Returns the float32 bits of each value as an unsigned integer. */
function bitsOf(values: Iterable<number>): number[] {
  const floats = Float32Array.from(values);
  return [...new Uint32Array(floats.buffer)];
}

/** Converts the rows of a decoded batch to JSON. It reads them with arrow-js, so it shares no code with our decoder. */
export function batchRows(batch: RecordBatch): RowJson[] {
  return Array.from({ length: batch.numRows }, (_unused, row) => {
    const features = batch.schema.fields.map(({ name, type }, index): [string, FeatureJson | null] => {
      const list = batch.getChildAt(index)?.get(row) as Iterable<unknown> | null | undefined;
      return [name, listJson(type, list)];
    });
    return Object.fromEntries(features.filter((entry): entry is [string, FeatureJson] => entry[1] !== null));
  });
}

/** Converts a list of values to JSON. Returns null if there is no list. @param type Arrow type of the list. */
export function listJson(type: DataType, list: Iterable<unknown> | null | undefined): FeatureJson | null {
  if (list === null || list === undefined) return null;
  const values = [...list];
  const kind = /Int|Float|Binary/.exec(String(type))?.[0];
  if (kind === "Int") return { int64: values.map(String) };
  if (kind === "Float") return { float: bitsOf(values as number[]) };
  return { bytes: values.map((value) => Buffer.from(value as Uint8Array).toString("base64")) };
}
