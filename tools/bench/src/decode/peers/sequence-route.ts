import { type Builder, Field, List, makeBuilder, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import type { BenchSet, ColumnSpec } from "../../sets/bench-set.js";
import { type DecodeBytes, inProcessSubject } from "../in-process-subject.js";
import { batchRows, type DecodeSubject } from "../subject.js";
import { tfRecordPayloads } from "../tf-record-payloads.js";
import { listTypeOf } from "./arrow-fields.js";
import { builderColumn } from "./builder-column.js";
import type { FeatureValues } from "./object-decoder.js";
import {
  longInt64,
  readFeatures,
  sequenceExamples,
  valuesOf,
  type SequenceObject,
} from "./protobufjs-objects.js";

/** Decodes SequenceExamples with protobufjs and arrow-js builders. It does not check CRCs. */
export const sequenceRoute: DecodeSubject = inProcessSubject({
  name: "protobufjs:builders",
  route: "javascript",
  reads: "sample",
  supports: ({ payload }) => payload === "sequence-example",
  createDecoder,
});

function createDecoder({ columns, sequenceColumns = [] }: BenchSet): DecodeBytes {
  const decode = sequenceExamples();
  const context = columns.map((column) => builderColumn(column, longInt64));
  const values = columns.map((): FeatureValues => null);
  const lists = new Struct(sequenceColumns.map(({ name, kind }) => new Field(name, stepsTypeOf(kind), true)));
  const schema = new Schema([
    ...columns.map(({ name, kind }) => new Field(name, listTypeOf(kind), true)),
    new Field("##SEQUENCE##", lists, true),
  ]);
  const start = (): Builder[] =>
    sequenceColumns.map(({ kind }) => makeBuilder({ type: stepsTypeOf(kind), nullValues: [null] }));
  return (bytes, sink) => {
    let builders = start();
    let length = 0;
    const flush = (): void => {
      const steps = builders.map((builder) => builder.finish().flush());
      const struct = makeData({ type: lists, length, nullCount: 0, children: steps });
      const children = [...context.map((column) => column.finish()), struct];
      sink(new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, children })));
      builders = start();
      length = 0;
    };
    for (const payload of tfRecordPayloads(bytes)) {
      const example = decode(payload);
      readFeatures({ features: example.context ?? null }, columns, values);
      context.forEach((column, index) => column.append(values[index] as FeatureValues));
      sequenceColumns.forEach((column, index) => builders[index]?.append(stepsOf(example, column)));
      if (++length === batchRows) flush();
    }
    if (length > 0) flush();
  };
}

function stepsTypeOf(kind: ColumnSpec["kind"]): List {
  return new List(new Field("item", listTypeOf(kind), true));
}

/** Returns the values of each step of a feature list, or null if the example lacks the list. */
function stepsOf(
  { featureLists }: SequenceObject,
  { name, kind }: ColumnSpec,
): readonly FeatureValues[] | null {
  const list = featureLists?.featureList?.[name];
  if (list === undefined) return null;
  return (list.feature ?? []).map((step) => {
    const items = valuesOf(step, kind);
    return kind === "int64" && items ? Array.from(items, (item) => longInt64.toBigInt(item)) : items;
  });
}
