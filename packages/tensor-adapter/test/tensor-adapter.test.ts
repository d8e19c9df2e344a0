import { describe, expect, test } from "@jest/globals";
import { ColumnPath } from "@tfxio/schema";
import { ConversionError, RecordError } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";
import {
  BytesColumn,
  type HostColumn,
  RaggedTensorSpec,
  SparseTensorSpec,
  TensorAdapter,
  type TensorHandler,
  TensorSpec,
  type TypeSpec,
} from "../src/index.js";
import { arrowSchema, recordBatch, type TypeJson } from "./arrow-values.js";
import { adapterFor, codedError, representations } from "./representations.js";

const batch = recordBatch([
  { name: "a", type: { list: "int64" }, values: [["1"], ["2"]] },
  { name: "b", type: { list: "float32" }, values: [[1, 2], []] },
]);
const texts = {
  scalar: 'dense_tensor { column_name: "a" shape { } }',
  list: 'varlen_sparse_tensor { column_name: "b" }',
  rows: 'ragged_tensor { feature_path { step: "b" } row_partition_dtype: INT32 }',
};

describe("TensorAdapter", () => {
  test("returns specs in the order of the representations, with an unknown batch dimension", () => {
    expect([...adapterFor(batch, texts).typeSpecs()]).toEqual([
      ["scalar", new TensorSpec([null], "int64")],
      ["list", new SparseTensorSpec([null, null], "float32")],
      ["rows", new RaggedTensorSpec([null, null], "float32", 1, "int32")],
    ]);
  });

  test("creates only the requested tensors, and rejects an unknown name", () => {
    const adapter = adapterFor(batch, texts);
    expect(Object.keys(adapter.toHost(batch))).toEqual(["scalar", "list", "rows"]);
    expect(Object.keys(adapter.toHost(batch, ["rows"]))).toEqual(["rows"]);
    expect(adapter.toHost(batch, [])).toEqual({});
    expect(codedError(() => adapter.toHost(batch, ["none"]))).toMatchObject({
      code: "invalid-argument",
      reason: "unknown-tensor",
    });
  });

  test("accepts __proto__ as the name of a tensor", () => {
    const adapter = new TensorAdapter({
      arrowSchema: batch.schema,
      tensorRepresentations: new Map([["__proto__", representations(texts).get("scalar") as never]]),
    });
    expect(Object.keys(adapter.toHost(batch))).toEqual(["__proto__"]);
  });

  test("rejects a batch with a different schema, and names the column that differs", () => {
    const adapter = adapterFor(batch, texts);
    const other = recordBatch([{ name: "a", type: { list: "int32" }, values: [[1]] }]);
    const error = codedError(() => adapter.toHost(other));
    expect(error).toMatchObject({ code: "schema-mismatch", reason: "batch-schema" });
    expect(error.message).toContain('column 0 is "a": List<Int32> in the batch');
    const fewer = recordBatch([{ name: "a", type: { list: "int64" }, values: [["1"]] }]);
    expect(codedError(() => adapter.toHost(fewer)).message).toContain("column 1 is missing in the batch");
  });

  test("accepts a batch whose schema equals the adapter's schema but is a different object", () => {
    const types = [
      { name: "a", type: { list: "int64" } },
      { name: "b", type: { list: "float32" } },
    ];
    const tensorRepresentations = representations(texts);
    const adapter = new TensorAdapter({ arrowSchema: arrowSchema(types), tensorRepresentations });
    expect(Object.keys(adapter.toHost(batch))).toHaveLength(3);
  });

  test("rejects a representation without a kind or with an unknown column", () => {
    for (const text of ['varlen_sparse_tensor { column_name: "none" }', ""]) {
      const error = codedError(() => adapterFor(batch, { t: text }));
      expect(error).toMatchObject({ code: "not-convertible", reason: "no-handler", tensorName: "t" });
      expect(error.message).toContain('Unable to handle tensor "t": ');
    }
  });

  test("rejects a dense dimension of -1, a sparse dimension of -2 and a uniform row length of -3", () => {
    for (const text of [
      'dense_tensor { column_name: "a" shape { dim { size: -1 } } }',
      'sparse_tensor { dense_shape { dim { size: -2 } } index_column_names: "a" value_column_name: "b" }',
      'ragged_tensor { feature_path { step: "b" } partition { uniform_row_length: -3 } }',
    ]) {
      expect(codedError(() => adapterFor(batch, { t: text }))).toMatchObject({ reason: "no-handler" });
    }
  });

  test("rejects a row-length column if the column that it divides has two levels of lists", () => {
    const deep = recordBatch([
      { name: "x", type: { list: { list: "int8" } }, values: [] },
      { name: "n", type: { list: "int8" }, values: [] },
    ]);
    const text = 'ragged_tensor { feature_path { step: "x" } partition { row_length: "n" } }';
    expect(codedError(() => adapterFor(deep, { t: text }))).toMatchObject({ reason: "no-handler" });
  });

  test("rejects a malformed or mismatched column from a custom handler in a projection", () => {
    const right: HostColumn = {
      kind: "dense",
      dtype: "int32",
      shape: [2],
      values: Int32Array.of(1, 2),
      borrowed: false,
    };
    const error = (column: unknown, typeSpec: TypeSpec = new TensorSpec([null], "int32")): unknown => {
      const handler = { typeSpec, sourceColumns: [], toHost: () => column as HostColumn };
      const adapter = new TensorAdapter({
        arrowSchema: batch.schema,
        tensorRepresentations: new Map(),
        handlers: new Map([["own", handler]]),
      });
      // A projection uses the handlers of the adapter.
      const { code, reason, tensorName } = codedError(() => adapter.project(["own"]).toHost(batch));
      return [code, reason, tensorName];
    };
    const mismatch = "shape-mismatch";
    expect(error({ ...right, shape: [3] })).toEqual([mismatch, "malformed-tensor", "own"]);
    expect(error({ ...right, dtype: "float32" })).toEqual([mismatch, "malformed-tensor", "own"]);
    expect(error({ ...right, shape: [2, 1] })).toEqual([mismatch, "type-spec", "own"]);
    expect(error({ ...right, shape: [1], values: Int32Array.of(1) })).toEqual([mismatch, "row-count", "own"]);
    for (const none of [undefined, null, Promise.resolve(right), { ...right, kind: "Dense" }]) {
      expect(error(none)).toEqual([mismatch, "malformed-tensor", "own"]);
    }
    const strings = (...offsets: number[]): HostColumn => ({
      kind: "dense",
      dtype: "string",
      shape: [2],
      values: new BytesColumn(new Uint8Array(2), Int32Array.from(offsets)),
      borrowed: false,
    });
    const malformed = [mismatch, "malformed-tensor", "own"];
    expect(error(strings(0, 1, 3), new TensorSpec([null], "string"))).toEqual(malformed);
    expect(error(strings(0, 2, 1), new TensorSpec([null], "string"))).toEqual(malformed);
    expect(error(strings(-1, 0, 1), new TensorSpec([null], "string"))).toEqual(malformed);
    expect(error(Promise.resolve(right), new TensorSpec([null], "int32"))).toEqual(malformed);
  });

  test("names the tensor whose handler throws, and keeps the error as the cause", () => {
    const failing = (cause: unknown): unknown => {
      const toHost = (): HostColumn => {
        throw cause;
      };
      const handler = { typeSpec: new TensorSpec([null], "int32"), sourceColumns: [], toHost };
      return codedError(() =>
        new TensorAdapter({
          arrowSchema: batch.schema,
          tensorRepresentations: new Map(),
          handlers: new Map([["own", handler]]),
        }).toHost(batch),
      );
    };
    const boom = new Error("boom");
    expect(failing(boom)).toMatchObject({
      code: "user-function",
      cause: boom,
      message: '[user-function] The handler of tensor "own" failed: boom',
    });
    const image = new RecordError("corrupt-record", "no JPEG");
    expect(failing(image)).toMatchObject({ code: "user-function", cause: image });
    expect(failing(new ConversionError("out-of-range", "too bright", { row: 1 }))).toMatchObject({
      code: "out-of-range",
      tensorName: "own",
      row: 1,
    });
  });

  test("projects only to a schema that has all source columns, with unchanged types", () => {
    const own: TensorHandler = {
      typeSpec: new TensorSpec([null], "int32"),
      sourceColumns: [new ColumnPath(["a"])],
      toHost: () => {
        throw new Error("not to be called");
      },
    };
    const adapter = new TensorAdapter({
      arrowSchema: batch.schema,
      tensorRepresentations: representations(texts),
      handlers: new Map([["own", own]]),
    });
    const schemaOf = (type: TypeJson): ArrowSchema => recordBatch([{ name: "a", type, values: [] }]).schema;
    const rejected = (name: string, schema: ArrowSchema): unknown =>
      codedError(() => adapter.project([name], schema));
    const noHandler = { code: "not-convertible", reason: "no-handler" };
    for (const name of ["scalar", "own"]) {
      for (const other of [
        schemaOf({ list: "float32" }),
        schemaOf({ large_list: "int64" }),
        schemaOf("int64"),
      ]) {
        expect(rejected(name, other)).toMatchObject({ ...noHandler, tensorName: name, columnPath: "a" });
      }
      expect([
        ...adapter
          .project([name], schemaOf({ list: "int64" }))
          .typeSpecs()
          .keys(),
      ]).toEqual([name]);
    }
    expect(rejected("rows", schemaOf({ list: "int64" }))).toMatchObject({
      ...noHandler,
      tensorName: "rows",
      columnPath: "b",
      message: expect.stringContaining("it is missing"),
    });
  });

  test("returns maps of specs that the caller may change without affecting the adapter", () => {
    const adapter = adapterFor(batch, texts);
    (adapter.typeSpecs() as Map<string, TypeSpec>).clear();
    (adapter.originalTypeSpecs() as Map<string, TypeSpec>).clear();
    expect([...adapter.typeSpecs().keys()]).toEqual(["scalar", "list", "rows"]);
    expect([...adapter.originalTypeSpecs().keys()]).toEqual(["scalar", "list", "rows"]);
  });

  test("requires originalTypeSpecs to include every spec of the adapter unchanged", () => {
    const own = adapterFor(batch, texts);
    expect(own.originalTypeSpecs()).toEqual(own.typeSpecs());
    const config = {
      arrowSchema: batch.schema,
      tensorRepresentations: representations({ scalar: texts.scalar }),
    };
    const projected = new TensorAdapter({ ...config, originalTypeSpecs: own.typeSpecs() });
    expect([...projected.typeSpecs().keys()]).toEqual(["scalar"]);
    expect(projected.originalTypeSpecs()).toEqual(own.typeSpecs());
    for (const originalTypeSpecs of [
      new Map<string, TypeSpec>(),
      new Map<string, TypeSpec>([["scalar", new TensorSpec([null], "int32")]]),
    ]) {
      expect(codedError(() => new TensorAdapter({ ...config, originalTypeSpecs }))).toMatchObject({
        code: "invalid-argument",
        reason: "bad-original-specs",
      });
    }
  });
});
