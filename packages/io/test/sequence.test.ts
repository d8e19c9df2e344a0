import { describe, expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { encodeSequenceExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { parseSchemaText } from "@tfxio/schema";
import type { HostRagged } from "@tfxio/tensor-adapter";
import { openTfxio, type TfxioOptions } from "../src/index.js";
import { collect, tfRecordFile } from "./fixtures.js";

const SCHEMA = parseSchemaText(`
  feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
  feature {
    name: "##SEQUENCE##" type: STRUCT
    struct_domain { feature { name: "words" type: BYTES } feature { name: "ids" type: INT } }
  }`);
const ints = (...values: number[]): FeatureValues => ({ kind: "int64", values });
const texts = (...values: string[]): FeatureValues => ({ kind: "bytes", values });

/** Creates three SequenceExamples: `ids` has two steps, has none, or is absent. One step of `words` has no kind. */
const file = (): Uint8Array =>
  tfRecordFile(
    [
      { context: { id: ints(1) }, featureLists: { ids: [ints(5, 6), ints(7)], words: [texts("a"), null] } },
      { context: { id: ints(2) }, featureLists: { ids: [], words: [texts("b", "c")] } },
      { context: { id: ints(3) }, featureLists: {} },
    ].map(encodeSequenceExample),
  );
const options: TfxioOptions = { format: "sequence-tfrecord", schema: SCHEMA };

describe("SequenceExamples", () => {
  test("become ragged tensors with two ragged dimensions if a schema is given", async () => {
    const tfxio = await openTfxio(file(), options);
    expect(tfxio.arrowSchema().fields.map(String)).toEqual([
      "id: List<Int64>",
      "##SEQUENCE##: Struct<{words:List<List<Binary>>, ids:List<List<Int64>>}>",
    ]);
    const specs = [...tfxio.tensorAdapter().typeSpecs()];
    expect(specs.map(([name, { kind, shape }]) => [name, kind, shape])).toEqual([
      ["id", "tensor", [null]],
      ["##SEQUENCE##.words", "ragged", [null, null, null]],
      ["##SEQUENCE##.ids", "ragged", [null, null, null]],
    ]);
    const [batch] = await collect(tfxio.recordBatches());
    const host = tfxio.tensorAdapter().toHost(batch!);
    const { nestedRowSplits, values } = host["##SEQUENCE##.ids"] as HostRagged;
    expect(nestedRowSplits.map((splits) => Array.from(splits, Number))).toEqual([
      [0, 2, 2, 2],
      [0, 2, 3],
    ]);
    expect(values).toEqual(BigInt64Array.of(5n, 6n, 7n));
  });

  test("are projected to the feature lists that the requested tensors need", async () => {
    const tfxio = await openTfxio(file(), options);
    const projected = tfxio.project(["##SEQUENCE##.ids"]);
    expect(projected.arrowSchema().fields.map(String)).toEqual([
      "##SEQUENCE##: Struct<{ids:List<List<Int64>>}>",
    ]);
    const [batch] = await collect(projected.recordBatches());
    expect(batch!.schema.fields.map(String)).toEqual(projected.arrowSchema().fields.map(String));
    const host = projected.tensorAdapter().toHost(batch!);
    expect(Object.keys(host)).toEqual(["##SEQUENCE##.ids"]);
  });

  test("pass through a dataset that shuffles and rebatches them", async () => {
    const tfxio = await openTfxio([file(), file()], options);
    const elements = (await tfxio.dataset({ batchSize: 4 }).toArray()) as Record<string, HostRagged>[];
    const numValues = elements.map((element) => element["##SEQUENCE##.ids"]!.values.length);
    expect(numValues.reduce((sum, one) => sum + one)).toBe(6);
    expect(elements).toHaveLength(2);
  });

  test("have tensors under an inferred schema too", async () => {
    const tfxio = await openTfxio(file(), { format: "sequence-tfrecord", inferSchema: "full" });
    expect([...tfxio.tensorRepresentations().keys()]).toEqual([
      "id",
      "##SEQUENCE##.ids",
      "##SEQUENCE##.words",
    ]);
    const [batch] = await collect(tfxio.recordBatches());
    const words = tfxio.tensorAdapter().toHost(batch!)["##SEQUENCE##.words"] as HostRagged;
    expect(words.nestedRowSplits.map((splits) => Array.from(splits, Number))).toEqual([
      [0, 2, 3, 3],
      [0, 1, 1, 3],
    ]);
  });
});

const shared = path.resolve(import.meta.dirname, "../../../../shared/data/sequence");
const testShared = existsSync(shared) ? test : test.skip;

testShared("SequenceExamples of TFX have the type specs of their schema, and yield 4,500 rows", async () => {
  const schema = parseSchemaText(readFileSync(path.join(shared, "schema.pbtxt"), "utf8"));
  const tfxio = await openTfxio(path.join(shared, "*.tfrecord.gz"), { ...options, schema });
  const adapter = tfxio.tensorAdapter();
  expect([...adapter.typeSpecs()].map(([name, { kind, dtype }]) => [name, kind, dtype])).toEqual([
    ["f", "sparse", "float32"],
    ["i", "sparse", "int64"],
    ["seq_s", "ragged", "string"],
  ]);
  let numRows = 0;
  for await (const batch of tfxio.project(["seq_s"]).recordBatches()) {
    expect(batch.schema.fields.map(String)).toEqual(["##SEQUENCE##: Struct<{s:List<List<Binary>>}>"]);
    numRows += batch.numRows;
  }
  expect(numRows).toBe(4500);
});
