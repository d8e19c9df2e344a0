import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { defineSchema, int } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import * as api from "../src/index.js";
import * as backends from "../src/backends/index.js";
import * as webgpu from "../src/webgpu/index.js";
import { recordBatch } from "./arrow-values.js";
import { adapterFor, codedError, representations } from "./representations.js";

// Callers without types may pass anything. Exported functions and methods must reject a wrong argument with a `TfxioError`.

const wrong: readonly unknown[] = [undefined, null, 1, "x", true, {}, [], [1], () => {}];

const batch = recordBatch([{ name: "x", type: { list: "int32" }, values: [[1], [2, 3]] }]);
const texts = { x: 'varlen_sparse_tensor { column_name: "x" }' };
const { arrowSchema, tensorRepresentations } = {
  arrowSchema: batch.schema,
  tensorRepresentations: representations(texts),
};
const adapter = adapterFor(batch, texts);
const structured = new api.StructuredTensorAdapter({
  arrowSchema,
  structuredTensors: new Map([["s", { columnNames: ["x"] }]]),
});
const converter = new api.TensorsToRecordBatchConverter(
  new Map([["x", new api.TensorSpec([null], "int32")]]),
);
const dense: api.HostDense = {
  kind: "dense",
  dtype: "int32",
  shape: [2],
  values: Int32Array.of(1, 2),
  borrowed: false,
};
const raggedColumn: api.HostRagged = {
  kind: "ragged",
  dtype: "int32",
  values: Int32Array.of(1, 2),
  nestedRowSplits: [Int32Array.of(0, 2)],
  innerShape: [],
  rowSplitsDtype: "int64",
  borrowed: false,
};
const nullable = {
  dtype: "int32",
  values: Int32Array.of(1),
  isNull: Uint8Array.of(0),
  rowShape: [],
} as const;
const schema = defineSchema({ features: { x: int() } });

let before = 0;
let ragged: api.RaggedTensor;
let sparse: api.SparseTensor;
beforeAll(() => {
  tf.enableProdMode();
  return tf.setBackend("cpu");
});
beforeEach(() => {
  before = tf.memory().numTensors;
  ragged = api.toTensor(raggedColumn, { tf });
  sparse = ragged.toSparse({ tf });
});
afterEach(() => {
  ragged.dispose();
  sparse.dispose();
  expect(tf.memory().numTensors).toBe(before);
});

/** Calls that pass each value of `wrong` as one argument. `right` lists the values of `wrong` that the argument accepts. */
const calls: Readonly<
  Record<string, { readonly call: (value: never) => unknown; readonly right?: readonly unknown[] }>
> = {
  "new TensorAdapter(config)": { call: (value) => new api.TensorAdapter(value) },
  "new TensorAdapter({ arrowSchema })": {
    call: (value) => new api.TensorAdapter({ arrowSchema: value, tensorRepresentations }),
  },
  "new TensorAdapter({ tensorRepresentations })": {
    call: (value) => new api.TensorAdapter({ arrowSchema, tensorRepresentations: value }),
  },
  "new TensorAdapter({ handlers })": {
    call: (value) => new api.TensorAdapter({ arrowSchema, tensorRepresentations, handlers: value }),
    right: [undefined],
  },
  "new TensorAdapter({ handlers: new Map() })": {
    call: (value) =>
      new api.TensorAdapter({ arrowSchema, tensorRepresentations, handlers: new Map([["h", value]]) }),
  },
  "new TensorAdapter({ originalTypeSpecs })": {
    call: (value) => new api.TensorAdapter({ arrowSchema, tensorRepresentations, originalTypeSpecs: value }),
    right: [undefined],
  },
  "adapter.toHost(batch)": { call: (value) => adapter.toHost(value) },
  "adapter.toHost(batch, names)": { call: (value) => adapter.toHost(batch, value), right: [undefined, []] },
  "adapter.toTensors(batch)": { call: (value) => adapter.toTensors(value, { tf }) },
  "adapter.toTensors(batch, options)": { call: (value) => adapter.toTensors(batch, value) },
  "adapter.toTensors(batch, { tf })": { call: (value) => adapter.toTensors(batch, { tf: value }) },
  "adapter.toTensors(batch, { names })": {
    call: (value) => {
      for (const tensor of Object.values(adapter.toTensors(batch, { tf, names: value }))) tensor.dispose();
    },
    right: [undefined, []],
  },
  "new TensorAdapter({ tensorRepresentations: new Map() })": {
    call: (value) => new api.TensorAdapter({ arrowSchema, tensorRepresentations: new Map([["x", value]]) }),
  },
  "new TensorAdapter({ tensorRepresentations: { kind } })": {
    call: (value) =>
      new api.TensorAdapter({
        arrowSchema,
        tensorRepresentations: new Map([["x", { kind: value } as never]]),
      }),
  },
  "new TensorAdapter({ tensorRepresentations: { kind: { case } } })": {
    call: (value) =>
      new api.TensorAdapter({
        arrowSchema,
        tensorRepresentations: new Map([
          ["x", { kind: { case: value, value: { $typeName: "none" } } } as never],
        ]),
      }),
  },
  "new TensorAdapter({ onEmpty })": {
    call: (value) => new api.TensorAdapter({ arrowSchema, tensorRepresentations, onEmpty: value }),
    right: [undefined, {}],
  },
  "new TensorAdapter({ onLong })": {
    call: (value) => new api.TensorAdapter({ arrowSchema, tensorRepresentations, onLong: value }),
    right: [undefined, {}],
  },
  "adapter.toTensors(batch, { int64 })": {
    call: (value) => adapter.toTensors(batch, { tf, int64: value })["x"]?.dispose(),
    right: [undefined, {}],
  },
  "adapter.toTensors(batch, { float64 })": {
    call: (value) => adapter.toTensors(batch, { tf, float64: value })["x"]?.dispose(),
    right: [undefined, {}],
  },
  "adapter.explain(batch)": { call: (value) => adapter.explain(value), right: [undefined] },
  "adapter.project(names)": { call: (value) => adapter.project(value), right: [[]] },
  "adapter.project(names, schema)": { call: (value) => adapter.project(["x"], value), right: [undefined] },
  "adapter.sourceColumns(name)": { call: (value) => adapter.sourceColumns(value), right: ["x"] },
  "typedTensors(schema)": { call: (value) => api.typedTensors(value) },
  "typedTensors(schema, names)": { call: (value) => api.typedTensors(schema, value), right: [undefined, []] },
  "typedTensors(schema)(config)": { call: (value) => api.typedTensors(schema)(value) },
  "new StructuredTensorAdapter(config)": { call: (value) => new api.StructuredTensorAdapter(value) },
  "new StructuredTensorAdapter({ structuredTensors })": {
    call: (value) => new api.StructuredTensorAdapter({ arrowSchema, structuredTensors: value }),
  },
  "new StructuredTensorAdapter({ structuredTensors: new Map() })": {
    call: (value) =>
      new api.StructuredTensorAdapter({ arrowSchema, structuredTensors: new Map([["s", value]]) }),
  },
  "structured.toHost(batch)": { call: (value) => structured.toHost(value) },
  "structured.toTensors(batch)": { call: (value) => structured.toTensors(value, { tf }) },
  "structured.toTensors(batch, options)": { call: (value) => structured.toTensors(batch, value) },
  "structured.explain(batch)": { call: (value) => structured.explain(value), right: [undefined] },
  "structuredTensorFromJson(json)": { call: (value) => api.structuredTensorFromJson(value) },
  "structuredTensorToJson(representation)": { call: (value) => api.structuredTensorToJson(value) },
  "new StructuredTensor(fields)": { call: (value) => new api.StructuredTensor(value, 0), right: [{}] },
  "toTensor(column)": { call: (value) => api.toTensor(value, { tf }) },
  "toTensor(column, options)": { call: (value) => api.toTensor(dense, value) },
  "toTensor(column, { tf })": { call: (value) => api.toTensor(dense, { tf: value }) },
  "tidyTensors(tf)": { call: (value) => api.tidyTensors(value, () => ({})) },
  "tidyTensors(tf, body)": { call: (value) => api.tidyTensors(tf, value), right: [wrong.at(-1)] },
  "numRowsOf(column)": { call: (value) => api.numRowsOf(value) },
  "numRowsOf({ kind })": {
    call: (value) => api.numRowsOf({ kind: value } as never),
  },
  "numRowsOf({ shape })": {
    call: (value) => void api.numRowsOf({ ...dense, shape: value }),
    right: [[], [1]],
  },
  "formatAdapterExplanation({ tensors })": {
    call: (value) => void api.formatAdapterExplanation({ tensors: value }),
    right: [[]],
  },
  "formatAdapterExplanation({ tensors: [] })": {
    call: (value) => api.formatAdapterExplanation({ tensors: [value] }),
  },
  "formatAdapterExplanation(explanation)": { call: (value) => api.formatAdapterExplanation(value) },
  "new TensorsToRecordBatchConverter(typeSpecs)": {
    call: (value) => new api.TensorsToRecordBatchConverter(value),
  },
  "new TensorsToRecordBatchConverter(new Map())": {
    call: (value) => new api.TensorsToRecordBatchConverter(new Map([["x", value]])),
  },
  "new TensorsToRecordBatchConverter(typeSpecs, options)": {
    call: (value) => new api.TensorsToRecordBatchConverter(new Map(), value),
    right: [undefined, {}],
  },
  "converter.convert(tensors)": { call: (value) => converter.convert(value) },
  "converter.convert({ x })": { call: (value) => converter.convert({ x: value }) },
  "new TensorSpec(shape)": { call: (value) => new api.TensorSpec(value, "int32"), right: [[], [1]] },
  "new SparseTensorSpec(shape)": {
    call: (value) => new api.SparseTensorSpec(value, "int32"),
    right: [null, [], [1]],
  },
  "new RaggedTensorSpec(shape)": {
    call: (value) => new api.RaggedTensorSpec(value, "int32", 1, "int64"),
  },
  "new RaggedTensorSpec(raggedRank)": {
    call: (value) => new api.RaggedTensorSpec([null, null], "int32", value, "int64"),
    right: [1],
  },
  "new StructuredTensorSpec(fields)": { call: (value) => new api.StructuredTensorSpec([null], value) },
  "new RaggedTensor(values)": { call: (value) => new api.RaggedTensor(value, [...ragged.nestedRowSplits]) },
  "new RaggedTensor(values, nestedRowSplits)": {
    call: (value) => new api.RaggedTensor(ragged.values, value),
  },
  "ragged.rowLengths(level)": { call: (value) => ragged.rowLengths(value), right: [undefined] },
  "ragged.toDense(options)": { call: (value) => ragged.toDense(value) },
  "ragged.toDense({ tf })": { call: (value) => ragged.toDense({ tf: value }) },
  "ragged.toDense({ shape })": { call: (value) => ragged.toDense({ tf, shape: value }), right: [undefined] },
  "ragged.toMask(options)": { call: (value) => ragged.toMask(value) },
  "ragged.toSparse(options)": { call: (value) => ragged.toSparse(value) },
  "ragged.slice(start)": { call: (value) => ragged.slice(value, 1, { tf }), right: [1] },
  "ragged.slice(start, end, options)": { call: (value) => ragged.slice(0, 1, value) },
  "RaggedTensor.concat(tensors)": { call: (value) => api.RaggedTensor.concat(value, { tf }) },
  "RaggedTensor.concat(tensors, options)": { call: (value) => api.RaggedTensor.concat([ragged], value) },
  "new SparseTensor(indices)": { call: (value) => new api.SparseTensor(value, sparse.values, [1, 2]) },
  "new SparseTensor(indices, values)": {
    call: (value) => new api.SparseTensor(sparse.indices, value, [1, 2]),
  },
  "new SparseTensor(indices, values, denseShape)": {
    call: (value) => new api.SparseTensor(sparse.indices, sparse.values, value),
  },
  "sparse.toDense(options)": { call: (value) => sparse.toDense(value) },
  "sparse.toDense({ shape })": { call: (value) => sparse.toDense({ tf, shape: value }), right: [undefined] },
  "sparse.slice(start)": { call: (value) => sparse.slice(value, 1, { tf }), right: [1] },
  "sparse.slice(start, end, options)": { call: (value) => sparse.slice(0, 1, value) },
  "SparseTensor.concat(tensors)": { call: (value) => api.SparseTensor.concat(value, { tf }) },
  "SparseTensor.concat(tensors, options)": { call: (value) => api.SparseTensor.concat([sparse], value) },
  "raggedToDense(column)": { call: (value) => webgpu.raggedToDense(value, { tf }) },
  "raggedToDense(column, options)": { call: (value) => webgpu.raggedToDense(raggedColumn, value) },
  "raggedToDense(column, { sizes })": {
    call: (value) => webgpu.raggedToDense(raggedColumn, { tf, sizes: value }).dispose(),
    right: [undefined, [], [1]],
  },
  "raggedIndices(column)": { call: (value) => webgpu.raggedIndices(value, { tf }) },
  "raggedIndices(column, options)": { call: (value) => webgpu.raggedIndices(raggedColumn, value) },
  "fillNullRows(rows)": { call: (value) => webgpu.fillNullRows(value, { tf }) },
  "fillNullRows(rows, options)": { call: (value) => webgpu.fillNullRows(nullable, value) },
  "fillNullRows({ isNull })": {
    call: (value) => webgpu.fillNullRows({ ...nullable, isNull: value }, { tf }),
  },
  "fillNullRows({ rowShape })": {
    call: (value) => webgpu.fillNullRows({ ...nullable, rowShape: value }, { tf }).dispose(),
    right: [[], [1]],
  },
};

describe("a wrong argument", () => {
  for (const [name, { call, right = [] }] of Object.entries(calls)) {
    test(`causes a TfxioError in ${name}`, () => {
      const isRight = (value: unknown): boolean =>
        right.some(
          (each) =>
            each === value || (typeof each === "object" && JSON.stringify(each) === JSON.stringify(value)),
        );
      for (const value of wrong) {
        let thrown: unknown;
        try {
          const made = call(value as never);
          (made as { dispose?: () => void } | undefined)?.dispose?.();
        } catch (error) {
          thrown = error;
        }
        const shown = typeof value === "function" ? "a function" : JSON.stringify(value);
        const found = isTfxioError(thrown) ? "a TfxioError" : String(thrown);
        expect({ value: shown, found }).toEqual({
          value: shown,
          found: isRight(value) ? "undefined" : "a TfxioError",
        });
      }
    });
  }

  test("causes an error whose message names the invalid entry", () => {
    const adapterOf = (more: object) => () =>
      new api.TensorAdapter({ arrowSchema, tensorRepresentations, ...more });
    const handlers = new Map([["h", null as never]]);
    expect(codedError(adapterOf({ handlers }))).toMatchObject({
      argument: 'handlers "h"',
      message:
        '[invalid-argument] handlers must map "h" to a handler with typeSpec, sourceColumns (ColumnPaths) and toHost, ' +
        "found null.",
    });
    expect(codedError(adapterOf({ tensorRepresentations: new Map([["x", null]]) }))).toMatchObject({
      argument: 'tensorRepresentations "x"',
      message:
        '[invalid-argument] tensorRepresentations must map "x" to a TensorRepresentation message, found null.',
    });
    expect(codedError(() => new api.StructuredTensor({ age: null } as never, 0))).toMatchObject({
      argument: 'fields "age"',
      message: '[invalid-argument] fields["age"] must be a tensor, found null.',
    });
  });

  test("causes an error whose message describes the wrong value", () => {
    const found = (value: unknown): string => codedError(() => adapter.toHost(value as never)).message;
    const message = (what: string): string =>
      `[invalid-argument] batch must be an Arrow RecordBatch, found ${what}.`;
    expect(found(null)).toBe(message("null"));
    expect(found([1, 2])).toBe(message("a list of length 2"));
    expect(found({})).toBe(message("an empty object"));
    expect(found({ numRows: 1, schema: 2 })).toBe(message('an object with the keys "numRows", "schema"'));
    expect(found(new Map())).toBe(message("a Map"));
    expect(found(Promise.resolve(batch))).toBe(message("a Promise"));
    expect(found(new api.TensorSpec([], "int8"))).toBe(message("a TensorSpec"));
  });

  test("makes an asynchronous function reject with a TfxioError", async () => {
    const rejecting: Record<string, (value: never) => Promise<unknown>> = {
      readTensor: (value) => api.readTensor(value),
      "readTensor(tensor, options)": (value) => api.readTensor(ragged, value),
      convertTensors: (value) => converter.convertTensors(value),
      "convertTensors({ x })": (value) => converter.convertTensors({ x: value }),
      loadBackend: (value) => backends.loadBackend(value),
      "loadBackend({ prefer })": (value) => backends.loadBackend({ tf, prefer: value }),
      "loadBackend({ tf })": (value) => backends.loadBackend({ tf: value }),
      explainBackends: (value) => backends.explainBackends(value),
    };
    for (const [name, call] of Object.entries(rejecting)) {
      for (const value of [null, 1, "x", [1], { none: 1 }]) {
        const thrown: unknown = await call(value as never).catch((error: unknown) => error);
        expect([name, value, isTfxioError(thrown) ? "a TfxioError" : thrown]).toEqual([
          name,
          value,
          "a TfxioError",
        ]);
      }
    }
  });

  test("is not equal to any tensor, and matches no spec", async () => {
    const spec = new api.TensorSpec([null], "int32");
    for (const value of wrong) {
      expect(await ragged.equals(value as never)).toBe(false);
      expect(await sparse.equals(value as never)).toBe(false);
      expect(spec.isCompatibleWith(value as never)).toBe(false);
      expect(spec.equals(value as never)).toBe(false);
    }
  });
});

describe("an unknown option", () => {
  const takers: Readonly<Record<string, (extra: object) => unknown>> = {
    TensorAdapter: (extra) => new api.TensorAdapter({ arrowSchema, tensorRepresentations, ...extra }),
    toTensors: (extra) => adapter.toTensors(batch, { tf, ...extra }),
    StructuredTensorAdapter: (extra) =>
      new api.StructuredTensorAdapter({ arrowSchema, structuredTensors: new Map(), ...extra }),
    "StructuredTensorAdapter({ structuredTensors })": (extra) =>
      new api.StructuredTensorAdapter({
        arrowSchema,
        structuredTensors: new Map([["s", { columnNames: ["x"], ...extra }]]),
      }),
    "structured.toTensors": (extra) => structured.toTensors(batch, { tf, ...extra }),
    toTensor: (extra) => api.toTensor(dense, { tf, ...extra }),
    TensorsToRecordBatchConverter: (extra) => new api.TensorsToRecordBatchConverter(new Map(), { ...extra }),
    "ragged.toDense": (extra) => ragged.toDense({ tf, ...extra }),
    "ragged.toMask": (extra) => ragged.toMask({ tf, ...extra }),
    "ragged.toSparse": (extra) => ragged.toSparse({ tf, ...extra }),
    "ragged.slice": (extra) => ragged.slice(0, 1, { tf, ...extra }),
    "RaggedTensor.concat": (extra) => api.RaggedTensor.concat([ragged], { tf, ...extra }),
    "sparse.toDense": (extra) => sparse.toDense({ tf, ...extra }),
    "sparse.slice": (extra) => sparse.slice(0, 1, { tf, ...extra }),
    "SparseTensor.concat": (extra) => api.SparseTensor.concat([sparse], { tf, ...extra }),
    raggedToDense: (extra) => webgpu.raggedToDense(raggedColumn, { tf, ...extra }),
    raggedIndices: (extra) => webgpu.raggedIndices(raggedColumn, { tf, ...extra }),
    fillNullRows: (extra) => webgpu.fillNullRows(nullable, { tf, ...extra }),
  };
  for (const [name, take] of Object.entries(takers)) {
    test(`is rejected by ${name}`, () => {
      expect(codedError(() => take({ defaultvalue: 1 }))).toMatchObject({
        code: "invalid-argument",
        reason: "unknown-option",
        argument: "defaultvalue",
      });
    });
  }

  test("is rejected by loadBackend, explainBackends and readTensor", async () => {
    const unknown = { code: "invalid-argument", reason: "unknown-option" };
    await expect(backends.loadBackend({ tf, perfer: "cpu" } as never)).rejects.toMatchObject(unknown);
    await expect(backends.explainBackends({ tf, prefer: "cpu" } as never)).rejects.toMatchObject(unknown);
    await expect(api.readTensor(ragged, { name: "x" } as never)).rejects.toMatchObject(unknown);
  });
});
