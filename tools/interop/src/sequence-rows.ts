import { encodeSequenceExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { parseSchemaText, type Schema } from "@tfxio/schema";
import { DataType, type Field, type RecordBatch } from "apache-arrow";
import { type FeatureJson, featureJson, listJson, type RowJson, rowsJson } from "./example-rows.js";
import { seeded } from "./seeded.js";

type Features = Readonly<Record<string, FeatureValues | null>>;
type Steps = readonly (FeatureValues | null)[];

interface SequenceRow {
  readonly context: Features;
  readonly featureLists: Readonly<Record<string, Steps>>;
}

/** A tf.SequenceExample as JSON. A step without a kind is null. Feature lists that are absent from the record are omitted. */
export interface SequenceRowJson {
  readonly context: RowJson;
  readonly lists: Readonly<Record<string, readonly (FeatureJson | null)[]>>;
}

const edges: readonly SequenceRow[] = [
  {
    context: {
      length: { kind: "int64", values: [-1] },
      tags: { kind: "bytes", values: [Uint8Array.of(0xff), ""] },
    },
    featureLists: {
      clicks: [
        { kind: "int64", values: [2n ** 63n - 1n, -(2n ** 63n)] },
        { kind: "int64", values: [] },
      ],
      prices: [{ kind: "float", values: [-0, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** -149] }],
      words: [
        { kind: "bytes", values: ["é", Uint8Array.of(0, 0xfe)] },
        { kind: "bytes", values: [] },
        { kind: "bytes", values: [""] },
      ],
      points: [null, { kind: "float", values: [1, -0] }],
    },
  },
  { context: {}, featureLists: { clicks: [null, { kind: "int64", values: [3] }, null], prices: [] } },
  { context: { tags: { kind: "bytes", values: [] } }, featureLists: { words: [null, null] } },
  { context: {}, featureLists: {} },
];

/** A schema that all rows match. The steps of `points` have a fixed length of 2. */
export const sequenceSchema: Schema = parseSchemaText(`
  feature { name: "length" type: INT value_count { min: 1 max: 1 } }
  feature { name: "tags" type: BYTES }
  feature {
    name: "##SEQUENCE##"
    type: STRUCT
    struct_domain {
      feature { name: "clicks" type: INT }
      feature { name: "points" type: FLOAT value_counts { value_count { } value_count { min: 2 max: 2 } } }
      feature { name: "prices" type: FLOAT }
      feature { name: "words" type: BYTES }
    }
  }
`);

/** Returns 200 rows: edge cases, followed by reproducible random values. */
export function sequenceRows(): readonly SequenceRow[] {
  const below = seeded(2);
  const list = <Value>(limit: number, value: () => Value): Value[] =>
    Array.from({ length: below(limit) }, value);
  const features: Readonly<Record<string, () => FeatureValues>> = {
    clicks: () => ({ kind: "int64", values: list(4, () => BigInt(below(2 ** 31)) ** 2n - 2n ** 61n) }),
    prices: () => ({ kind: "float", values: list(3, () => Math.fround(below(10_000) / 7)) }),
    points: () => ({ kind: "float", values: [below(9), below(9) / 8] }),
    words: () => ({ kind: "bytes", values: list(3, () => Uint8Array.from(list(5, () => below(256)))) }),
  };
  const random = (): SequenceRow => {
    const lists = Object.entries(features).filter(() => below(5) > 0);
    return {
      context: {
        ...(below(3) > 0 && { length: { kind: "int64", values: [below(9)] } }),
        ...(below(3) > 0 && { tags: { kind: "bytes", values: list(3, () => String(below(99))) } }),
      },
      featureLists: Object.fromEntries(
        lists.map(([name, feature]) => [name, list(7, () => (below(6) === 0 ? null : feature()))]),
      ),
    };
  };
  return [...edges, ...Array.from({ length: 200 - edges.length }, random)];
}

/** Encodes the rows as serialized tf.SequenceExamples with our encoder. */
export function encodeSequenceRows(rows: readonly SequenceRow[]): Uint8Array[] {
  return rows.map((row) => encodeSequenceExample(row));
}

/** Converts the rows to JSON. */
export function sequenceRowsJson(rows: readonly SequenceRow[]): SequenceRowJson[] {
  const contexts = rowsJson(rows.map(({ context }) => context));
  return rows.map(({ featureLists }, index) => ({
    context: contexts[index] as RowJson,
    lists: Object.fromEntries(
      Object.entries(featureLists).map(([name, steps]) => [
        name,
        steps.map((step) => (step === null ? null : featureJson(step))),
      ]),
    ),
  }));
}

/** Converts the rows of a decoded batch to JSON. Reads them with arrow-js, which shares no code with our decoder. */
export function batchSequenceRows(batch: RecordBatch): SequenceRowJson[] {
  const { fields } = batch.schema;
  return Array.from({ length: batch.numRows }, (_unused, row) => {
    const context: Record<string, FeatureJson> = {};
    const lists: Record<string, readonly (FeatureJson | null)[]> = {};
    for (const [index, { name, type }] of fields.entries()) {
      const value: unknown = batch.getChildAt(index)?.get(row);
      if (DataType.isStruct(type)) {
        for (const field of type.children) {
          const steps = (value as Readonly<Record<string, Iterable<unknown> | null>>)[field.name];
          if (steps) lists[field.name] = [...steps].map((step) => listJson(stepType(field), step as never));
        }
        continue;
      }
      const feature = listJson(type, value as Iterable<unknown> | null);
      if (feature !== null) context[name] = feature;
    }
    return { context, lists };
  });
}

function stepType(field: Field): DataType {
  return (field.type.children as readonly [Field])[0].type;
}
