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
  "List<FixedSizeBinary>": listOf(new FixedSizeBinary(2)),
  "List<BinaryView>": listOf(new BinaryView()),
  "List<Utf8View>": listOf(new Utf8View()),
  "List<Bool>": listOf(new Bool()),
  "List<Date>": listOf(new DateDay()),
  "List<Time>": listOf(new TimeSecond()),
  "List<Timestamp>": listOf(new TimestampSecond()),
  "List<Duration>": listOf(new DurationSecond()),
  "List<Interval>": listOf(new IntervalDayTime()),
  "List<Decimal>": listOf(new Decimal(2, 10)),
  "List<Null>": listOf(new Null()),
  Null: new Null(),
  "List<Struct<BinaryView>>": listOf(new Struct([new Field("a", new BinaryView())])),
  "Dictionary<List<Int32>>": new Dictionary(listOf(new Int32()), new Int32()),
  "List<Dictionary<List<Int32>>>": listOf(new Dictionary(listOf(new Int32()), new Int32())),
  "List<Dictionary<BinaryView>>": listOf(new Dictionary(new BinaryView(), new Int32())),
  Map: new MapType(new Field("entries", entries, false)),
};
const texts = {
  dense: 'dense_tensor { column_name: "x" shape { } }',
  varlen: 'varlen_sparse_tensor { column_name: "x" }',
  sparse: 'sparse_tensor { value_column_name: "x" }',
  ragged: 'ragged_tensor { feature_path { step: "x" } }',
};

describe("TensorAdapter and StructuredTensorAdapter", () => {
  for (const [name, type] of Object.entries(rejected)) {
    test(`reject a column of type ${name} when they are created`, () => {
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
