import { describe, expect, test } from "@jest/globals";
import { formatSchemaText, parseSchemaText } from "@tfxio/schema";
import { Int32, Null, type RecordBatch, Utf8 } from "apache-arrow";
import {
  createExampleDecoder,
  createSequenceExampleDecoder,
  encodeExample,
  encodeSequenceExample,
  type FeatureValues,
  inferSchemaFromBatches,
} from "../../src/index.js";
import { batchOf, listOf } from "../batches.js";

type Row = Record<string, FeatureValues | null>;
const int64 = (...values: readonly number[]): FeatureValues => ({ kind: "int64", values });
const float = (...values: readonly number[]): FeatureValues => ({ kind: "float", values });
const bytes = (...values: readonly string[]): FeatureValues => ({ kind: "bytes", values });

const decoded = (...rows: readonly Row[]): RecordBatch =>
  createExampleDecoder().decode(rows.map(encodeExample));

async function inferred(...batches: readonly RecordBatch[]): Promise<string> {
  return formatSchemaText(await inferSchemaFromBatches(batches));
}

const text = (source: string): string => formatSchemaText(parseSchemaText(source));

// Expected schemas follow TFDV's infer_schema with infer_feature_shape.
describe("inferSchemaFromBatches", () => {
  test("infers a shape for features that are always present with the same number of values", async () => {
    const batches = [decoded({ a: int64(1), b: float(1, 2) }), decoded({ a: int64(2), b: float(3, 4) })];
    expect(await inferred(...batches)).toBe(
      text(`
        feature { name: "a" type: INT presence { min_fraction: 1 min_count: 1 } shape { dim { size: 1 } } }
        feature { name: "b" type: FLOAT presence { min_fraction: 1 min_count: 1 } shape { dim { size: 2 } } }`),
    );
  });

  test("infers a value count for a feature without empty lists if no shape fits all rows", async () => {
    const first = decoded({ fixed: bytes("x"), least: int64(1), empty: float(), late: null });
    const second = decoded(
      { fixed: null, least: int64(1, 2), empty: float(1) },
      { least: int64(3), late: int64(1) },
    );
    expect(await inferred(first, second)).toBe(
      text(`
        feature { name: "empty" type: FLOAT presence { min_count: 1 } }
        feature { name: "fixed" type: BYTES presence { min_count: 1 } value_count { min: 1 max: 1 } }
        feature { name: "least" type: INT presence { min_fraction: 1 min_count: 1 } value_count { min: 1 } }
        feature { name: "late" type: INT presence { min_count: 1 } value_count { min: 1 max: 1 } }`),
    );
  });

  test("omits columns that never have a type, and counts a column as null in batches that lack the column", async () => {
    expect(await inferred(decoded({ a: int64(1), n: null }), decoded({ n: null }))).toBe(
      text(`feature { name: "a" type: INT presence { min_count: 1 } value_count { min: 1 max: 1 } }`),
    );
    expect(await inferred()).toBe("");
    const emptyLists = batchOf({ a: [listOf(new Null()), [[], null]] });
    expect((await inferSchemaFromBatches([emptyLists])).feature).toEqual([]);
  });

  test("infers a minimum count of 0 for a typed column that is always null", async () => {
    const schema = parseSchemaText(`feature { name: "a" type: INT }`);
    const batch = createExampleDecoder({ schema }).decode([encodeExample({})]);
    expect(await inferred(batch)).toBe(text(`feature { name: "a" type: INT presence { min_count: 0 } }`));
  });

  test("reads large lists, slices, text and 32-bit integers", async () => {
    const large = createExampleDecoder({ listType: "large" }).decode(
      [{ a: int64(1) }, { a: int64(1, 2) }].map(encodeExample),
    );
    expect(await inferred(large.slice(1))).toBe(
      text(
        `feature { name: "a" type: INT presence { min_fraction: 1 min_count: 1 } shape { dim { size: 2 } } }`,
      ),
    );
    const batch = batchOf({ s: [listOf(new Utf8()), [["x"]]], i: [listOf(new Int32()), [[1]]] });
    expect(await inferred(batch)).toBe(
      text(`
        feature { name: "s" type: BYTES presence { min_fraction: 1 min_count: 1 } shape { dim { size: 1 } } }
        feature { name: "i" type: INT presence { min_fraction: 1 min_count: 1 } shape { dim { size: 1 } } }`),
    );
  });

  test("rejects a column whose type differs between batches", async () => {
    const batches = [decoded({ a: int64(1) }), decoded({ a: float(1) })];
    await expect(inferSchemaFromBatches(batches)).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "wrong-kind",
      columnPath: "a",
      expected: "INT",
      actual: "FLOAT",
    });
  });

  test("infers a struct for feature lists, with bounds on the number of steps per row and of values per step", async () => {
    const steps = (...rows: readonly number[][]) =>
      rows.map((values) => ({ kind: "int64", values }) as const);
    const decoder = createSequenceExampleDecoder();
    const batches = [
      [
        { featureLists: { a: steps([1, 2], [3, 4]), b: steps([1]), n: [null] } },
        { context: { c: int64(1) } },
      ],
      [{ featureLists: { a: steps([5, 6]), b: [null, ...steps([1], [])], n: [] } }],
    ].map((rows) => decoder.decode(rows.map(encodeSequenceExample)));
    expect(await inferred(...batches)).toBe(
      text(`
        feature { name: "c" type: INT presence { min_count: 1 } value_count { min: 1 max: 1 } }
        feature {
          name: "##SEQUENCE##" type: STRUCT presence { min_fraction: 1 min_count: 1 }
          struct_domain {
            feature {
              name: "a" type: INT presence { min_count: 1 }
              value_counts { value_count { min: 1 } value_count { min: 2 max: 2 } }
            }
            feature {
              name: "b" type: INT presence { min_count: 1 }
              value_counts { value_count { min: 1 } value_count { } }
            }
          }
        }`),
    );
  });

  test("infers no struct for feature lists without a type", async () => {
    const decoder = createSequenceExampleDecoder();
    const rows = [{ featureLists: { n: [null] } }, { featureLists: {} }];
    expect(await inferred(decoder.decode(rows.map(encodeSequenceExample)))).toBe("");
  });

  test("rejects a struct field whose type differs between batches, and reports the field's path", async () => {
    const decoder = createSequenceExampleDecoder();
    const batches = [int64(1), float(1)].map((step) =>
      decoder.decode([encodeSequenceExample({ featureLists: { a: [step] } })]),
    );
    await expect(inferSchemaFromBatches(batches)).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "wrong-kind",
      columnPath: "##SEQUENCE##.a",
    });
  });

  test("rejects a column as unsupported if it is not a list", async () => {
    await expect(inferSchemaFromBatches([batchOf({ a: [new Int32(), [1]] })])).rejects.toMatchObject({
      code: "unsupported",
      reason: "column-type",
    });
  });
});
