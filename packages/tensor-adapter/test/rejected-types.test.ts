import { describe, expect, test } from "@jest/globals";
import {
  BinaryView,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  DurationSecond,
  Field,
  FixedSizeBinary,
  Int32,
  IntervalDayTime,
  List,
  Map_ as MapType,
  Null,
  Schema,
  Struct,
  TimestampSecond,
  TimeSecond,
  Utf8,
  Utf8View,
} from "apache-arrow";
import { StructuredTensorAdapter, TensorAdapter } from "../src/index.js";
import { codedError, representations } from "./representations.js";

// Types of apache-arrow 21 without a tensor form. They are rejected when the adapter is created, not when a batch is converted.

const listOf = (type: DataType): DataType => new List(new Field("item", type, true));
const entries = new Struct([new Field("key", new Utf8()), new Field("value", new Int32())]);
const rejected: Readonly<Record<string, DataType>> = {
  FixedSizeBinary: listOf(new FixedSizeBinary(2)),
  BinaryView: listOf(new BinaryView()),
  Utf8View: listOf(new Utf8View()),
  Bool: listOf(new Bool()),
  Date: listOf(new DateDay()),
  Time: listOf(new TimeSecond()),
  Timestamp: listOf(new TimestampSecond()),
  Duration: listOf(new DurationSecond()),
  Interval: listOf(new IntervalDayTime()),
  Decimal: listOf(new Decimal(2, 10)),
  Null: listOf(new Null()),
  "a column of nulls": new Null(),
  "a list of structs": listOf(new Struct([new Field("a", new BinaryView())])),
  "a dictionary of lists": new Dictionary(listOf(new Int32()), new Int32()),
  "lists of a dictionary of lists": listOf(new Dictionary(listOf(new Int32()), new Int32())),
  "a dictionary of BinaryView": listOf(new Dictionary(new BinaryView(), new Int32())),
  "a map": new MapType(new Field("entries", entries, false)),
};
const texts = {
  dense: 'dense_tensor { column_name: "x" shape { } }',
  varlen: 'varlen_sparse_tensor { column_name: "x" }',
  sparse: 'sparse_tensor { value_column_name: "x" }',
  ragged: 'ragged_tensor { feature_path { step: "x" } }',
};

describe("columns without a tensor", () => {
  for (const [name, type] of Object.entries(rejected)) {
    test(name, () => {
      const arrowSchema = new Schema([new Field("x", type, true)]);
      for (const [tensorName, text] of Object.entries(texts)) {
        const tensorRepresentations = representations({ [tensorName]: text });
        const error = codedError(() => new TensorAdapter({ arrowSchema, tensorRepresentations }));
        expect(error).toMatchObject({
          code: "not-convertible",
          reason: "no-handler",
          tensorName,
          columnPath: "x",
        });
      }
      const structuredTensors = new Map([["s", { columnNames: ["x"] }]]);
      const error = codedError(() => new StructuredTensorAdapter({ arrowSchema, structuredTensors }));
      expect(error).toMatchObject({ code: "not-convertible", reason: "no-handler", tensorName: "s" });
    });
  }
});
