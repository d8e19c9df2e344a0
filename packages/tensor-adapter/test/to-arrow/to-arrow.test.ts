import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-backend-wasm";
import * as tf from "@tensorflow/tfjs-core";
import { isTfxioError } from "@tfxio/wire";
import { type Data, tableFromIPC, Table, tableToIPC } from "apache-arrow";
import {
  BytesColumn,
  type DType,
  type HostArrays,
  type HostColumn,
  type HostDense,
  type HostRagged,
  type HostSparse,
  RaggedTensorSpec,
  readTensor,
  SparseTensor,
  SparseTensorSpec,
  TensorAdapter,
  TensorsToRecordBatchConverter,
  type TensorsToRecordBatchOptions,
  TensorSpec,
  toTensor,
  type TypeSpec,
} from "../../src/index.js";
import { type Random, seeded } from "../random.js";
import { codedError } from "../representations.js";
import { columnJson } from "../vector-tensors.js";

/** The dtypes that the converter accepts: all except bool. */
type ColumnDType = Exclude<DType, "bool">;

const dtypes: readonly ColumnDType[] = [
  "int8",
  "int16",
  "int32",
  "int64",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "float16",
  "float32",
  "float64",
  "string",
];

/** Returns random values that tensors hold exactly: small integers, multiples of 0.25, float16 values and arbitrary bytes. */
function randomValues(random: Random, dtype: DType, length: number): HostArrays[DType] {
  const from = <T>(make: () => T): T[] => Array.from({ length }, make);
  switch (dtype) {
    case "string":
      return BytesColumn.from(from(() => Uint8Array.from({ length: random(4) }, () => random(256))));
    case "bool":
      throw new TypeError("the converter does not accept bool");
    case "int64":
      return BigInt64Array.from(from(() => BigInt(random(2000) - 1000)));
    case "uint64":
      return BigUint64Array.from(from(() => BigInt(random(2000))));
    case "float16":
      return Uint16Array.from(from(() => random(0x7c00)));
    case "float32":
      return Float32Array.from(from(() => random(1000) / 4 - 99));
    case "float64":
      return Float64Array.from(from(() => random(1000) / 4 - 99));
    default: {
      const ArrayType = {
        int8: Int8Array,
        int16: Int16Array,
        int32: Int32Array,
        uint8: Uint8Array,
        uint16: Uint16Array,
        uint32: Uint32Array,
      }[dtype];
      return ArrayType.from(from(() => random(128)));
    }
  }
}

function randomSplits(random: Random, numRows: number): Int32Array {
  const splits = new Int32Array(numRows + 1);
  for (let row = 0; row < numRows; row++) splits[row + 1] = (splits[row] as number) + random(4);
  return splits;
}

interface RandomTensor {
  readonly column: HostColumn;
  readonly spec: TypeSpec;
  readonly isGeneric?: boolean;
}

const makers: readonly ((random: Random, dtype: DType, numRows: number) => RandomTensor)[] = [
  (random, dtype, numRows) => {
    const rowShape = Array.from({ length: random(3) }, () => random(3));
    const shape = [numRows, ...rowShape];
    const size = shape.reduce((product, each) => product * each, 1);
    const values = randomValues(random, dtype, size);
    const column: HostDense = { kind: "dense", dtype, shape, values, borrowed: false };
    return { column, spec: new TensorSpec([null, ...rowShape], dtype) };
  },
  (random, dtype, numRows) => {
    const splits = randomSplits(random, numRows);
    const indices: number[] = [];
    let longest = 0;
    for (let row = 0; row < numRows; row++) {
      const length = (splits[row + 1] as number) - (splits[row] as number);
      longest = Math.max(longest, length);
      for (let position = 0; position < length; position++) indices.push(row, position);
    }
    const values = randomValues(random, dtype, splits[numRows] as number);
    const denseShape = [numRows, longest];
    const column: HostSparse = {
      kind: "sparse",
      dtype,
      indices: Int32Array.from(indices),
      values,
      denseShape,
      borrowed: false,
    };
    const spec = new SparseTensorSpec(random(2) === 0 ? null : [null, null], dtype);
    return { column, spec };
  },
  (random, dtype, numRows) => {
    const sizes = Array.from({ length: 1 + random(3) }, () => (random(3) === 0 ? -1 : 5));
    const splits = randomSplits(random, numRows);
    const indices: number[] = [];
    for (let row = 0; row < numRows; row++) {
      for (let at = splits[row] as number; at < (splits[row + 1] as number); at++) {
        indices.push(row, ...sizes.map(() => random(5)));
      }
    }
    const values = randomValues(random, dtype, splits[numRows] as number);
    const denseShape = [numRows, ...sizes];
    const column: HostSparse = {
      kind: "sparse",
      dtype,
      indices: Int32Array.from(indices),
      values,
      denseShape,
      borrowed: false,
    };
    const shape = [null, ...sizes.map((size) => (size < 0 ? null : size))];
    return { column, spec: new SparseTensorSpec(shape, dtype), isGeneric: true };
  },
  (random, dtype, numRows) => {
    const raggedRank = 1 + random(3);
    const innerShape = Array.from({ length: random(3) }, () => 1 + random(3));
    const nestedRowSplits: Int32Array[] = [];
    let count = numRows;
    for (let level = 0; level < raggedRank; level++) {
      const splits = randomSplits(random, count);
      nestedRowSplits.push(splits);
      count = splits[count] as number;
    }
    const size = innerShape.reduce((product, each) => product * each, count);
    const rowSplitsDtype = random(2) === 0 ? "int32" : "int64";
    const column: HostRagged = {
      kind: "ragged",
      dtype,
      values: randomValues(random, dtype, size),
      nestedRowSplits,
      innerShape,
      rowSplitsDtype,
      borrowed: false,
    };
    const shape = [null, ...Array<null>(raggedRank).fill(null), ...innerShape];
    return { column, spec: new RaggedTensorSpec(shape, dtype, raggedRank, rowSplitsDtype) };
  },
];

function randomTensors(seed: number): {
  tensors: Record<string, HostColumn>;
  specs: Map<string, TypeSpec>;
  options: TensorsToRecordBatchOptions;
} {
  const random = seeded(seed);
  const numRows = random(5);
  const made = Array.from({ length: 1 + random(4) }, (_, index) => {
    const make = makers[random(makers.length)] as (typeof makers)[number];
    const dtype = dtypes[random(dtypes.length)] as DType;
    return { name: `t${index}`, ...make(random, dtype, numRows) };
  });
  return {
    tensors: Object.fromEntries(made.map(({ name, column }) => [name, column])),
    specs: new Map(made.map(({ name, spec }) => [name, spec])),
    options: {
      listType: random(2) === 0 ? "list" : "large",
      genericSparseTensorNames: made.filter(({ isGeneric }) => isGeneric).map(({ name }) => name),
    },
  };
}

const plain = (tensors: Readonly<Record<string, HostColumn>>): unknown =>
  Object.fromEntries(Object.entries(tensors).map(([name, column]) => [name, columnJson(column)]));

describe("TensorsToRecordBatchConverter", () => {
  test("writes batches from which the adapter restores the same tensors, even after a round trip through Arrow IPC", () => {
    for (let seed = 0; seed < 400; seed++) {
      const { tensors, specs, options } = randomTensors(seed);
      const converter = new TensorsToRecordBatchConverter(specs, options);
      const adapter = new TensorAdapter(converter);
      const batch = converter.convert(tensors);
      expect({ seed, back: plain(adapter.toHost(batch)) }).toEqual({ seed, back: plain(tensors) });
      const [read] = tableFromIPC(tableToIPC(new Table([batch]))).batches;
      if (read) expect({ seed, back: plain(adapter.toHost(read)) }).toEqual({ seed, back: plain(tensors) });
    }
  });

  test("returns a representation without a shape for scalars, as tfx_bsl does", () => {
    const { tensorRepresentations } = new TensorsToRecordBatchConverter(
      new Map([
        ["scalar", new TensorSpec([null], "int64")],
        ["vector", new TensorSpec([null, 2], "int64")],
      ]),
    );
    const shapes = Array.from(
      tensorRepresentations.values(),
      ({ kind }) => kind.case === "denseTensor" && kind.value.shape,
    );
    expect(shapes).toMatchObject([undefined, { dim: [{ size: 2n }] }]);
  });

  test("borrows the values and row splits of a ragged tensor", () => {
    const values = Float32Array.of(1, 2, 3);
    const splits = Int32Array.of(0, 1, 3);
    const spec = new RaggedTensorSpec([null, null], "float32", 1, "int64");
    const converter = new TensorsToRecordBatchConverter(new Map([["r", spec]]));
    const batch = converter.convert({ r: ragged(values, [splits]) });
    const data = batch.data.children[0] as Data;
    expect(data.valueOffsets.buffer).toBe(splits.buffer);
    expect(((data.children[0] as Data).values as Float32Array).buffer).toBe(values.buffer);
    expect(data.nullCount).toBe(0);
  });

  test("writes batches that survive Arrow IPC even if the arrays of the tensors are shared or overlap", () => {
    const spec = new RaggedTensorSpec([null, null, null], "float32", 2, "int64");
    const flat = new RaggedTensorSpec([null, null], "float32", 1, "int64");
    // All lists of `one` and `two` are empty, so their values take no bytes and their splits are all 0.
    const empty = Int32Array.of(0, 0, 0, 0);
    const each = Int32Array.of(0, 1, 2, 3);
    const converter = new TensorsToRecordBatchConverter(
      new Map([
        ["deep", spec],
        ["one", flat],
        ["two", flat],
      ]),
    );
    const none = ragged(new Float32Array(0), [empty]);
    const batch = converter.convert({
      deep: ragged(Float32Array.of(7, 8, 9), [each, each]),
      one: none,
      two: none,
    });
    const read = tableFromIPC(tableToIPC(new Table([batch])));
    expect(JSON.parse(JSON.stringify(read.toArray()))).toEqual([
      { deep: [[7]], one: [], two: [] },
      { deep: [[8]], one: [], two: [] },
      { deep: [[9]], one: [], two: [] },
    ]);
    // Splits that are part of a longer array, and values whose memory overlaps their own splits.
    const overlapping = new TensorsToRecordBatchConverter(
      new Map<string, TypeSpec>([
        ["a", spec],
        ["b", new RaggedTensorSpec([null, null], "int32", 1, "int64")],
      ]),
    ).convert({
      a: ragged(new Float32Array(0), [Int32Array.of(0, 0, 0, 0), empty.subarray(0, 1)]),
      b: { ...ragged(new Float32Array(0), [each]), dtype: "int32", values: each.subarray(0, 3) },
    });
    const again = tableFromIPC(tableToIPC(new Table([overlapping])));
    expect(JSON.parse(JSON.stringify(again.toArray()))).toEqual([
      { a: [], b: [0] },
      { a: [], b: [1] },
      { a: [], b: [2] },
    ]);
  });

  test("orders columns and representations by the UTF-8 bytes of tensor names", () => {
    const spec = new TensorSpec([null], "int8");
    // In UTF-8, U+1F600 sorts after U+FFFD. In UTF-16, it sorts before U+FFFD, because it begins with a surrogate.
    const names = ["\u{1f600}", "\ufffd", "b", "B"];
    const converter = new TensorsToRecordBatchConverter(new Map(names.map((name) => [name, spec])));
    expect(converter.arrowSchema.fields.map(({ name }) => name)).toEqual(["B", "b", "\ufffd", "\u{1f600}"]);
    expect([...converter.tensorRepresentations.keys()]).toEqual(["B", "b", "\ufffd", "\u{1f600}"]);
  });

  test("names the columns of a sparse tensor according to the caller's templates", () => {
    const specs = new Map([["a$&", new SparseTensorSpec([null, 2, 3], "int8")]]);
    const converter = new TensorsToRecordBatchConverter(specs, {
      valueColumnTemplate: "v/{tensor_name}",
      indexColumnTemplate: "{index}/{tensor_name}/{index}",
    });
    expect(converter.arrowSchema.fields.map(({ name }) => name)).toEqual(["v/a$&", "0/a$&/0", "1/a$&/1"]);
  });

  test("rejects specs that would give two columns the same name", () => {
    const specs = new Map<string, TypeSpec>([
      ["a", new SparseTensorSpec([null, 2, 3], "int8")],
      ["a$index1", new TensorSpec([null], "int8")],
    ]);
    expect(codedError(() => new TensorsToRecordBatchConverter(specs))).toMatchObject({
      code: "schema-mismatch",
      reason: "duplicate-column",
      columnPath: "a$index1",
    });
  });

  test("rejects specs that columns cannot represent, and dense or unranked tensors in genericSparseTensorNames", () => {
    for (const spec of [
      new TensorSpec([2, 3], "int8"),
      new SparseTensorSpec([null, null], "complex64" as DType),
      new SparseTensorSpec([], "int8"),
      new RaggedTensorSpec([null, 2, null], "int8", 2, "int64"),
    ]) {
      const construct = (): unknown => new TensorsToRecordBatchConverter(new Map([["t", spec]]));
      expect(codedError(construct)).toMatchObject({ reason: "no-handler", tensorName: "t" });
    }
    const generic = { genericSparseTensorNames: ["t"] };
    const dense = new Map([["t", new TensorSpec([null], "int8")]]);
    expect(codedError(() => new TensorsToRecordBatchConverter(dense, generic))).toMatchObject({
      code: "invalid-argument",
      reason: "unknown-tensor",
    });
    const unknownRank = new Map([["t", new SparseTensorSpec(null, "int8")]]);
    expect(codedError(() => new TensorsToRecordBatchConverter(unknownRank, generic))).toMatchObject({
      reason: "no-handler",
    });
  });

  test("rejects missing tensors, unknown tensors, and tensors with different numbers of rows", () => {
    const specs = new Map([
      ["a", new TensorSpec([null], "int8")],
      ["b", new TensorSpec([null], "int8")],
    ]);
    const converter = new TensorsToRecordBatchConverter(specs);
    const dense = (length: number): HostDense => {
      return {
        kind: "dense",
        dtype: "int8",
        shape: [length],
        values: new Int8Array(length),
        borrowed: false,
      };
    };
    const missing = codedError(() => converter.convert({ a: dense(1) }));
    expect(missing).toMatchObject({ code: "invalid-argument", reason: "unknown-tensor" });
    const unknown = codedError(() => converter.convert({ a: dense(1), b: dense(1), c: dense(1) }));
    expect(unknown).toMatchObject({ code: "invalid-argument", reason: "unknown-tensor" });
    const error = codedError(() => converter.convert({ a: dense(1), b: dense(2) }));
    expect(error).toMatchObject({ code: "shape-mismatch", reason: "row-count", tensorName: "b" });
    expect(converter.convert({ a: dense(2), b: dense(2) }).numRows).toBe(2);
  });

  test("rejects sparse indices outside the dense shape, and reports their row", () => {
    const found = (indices: number[], denseShape: number[]): unknown => {
      const column: HostSparse = {
        kind: "sparse",
        dtype: "int8",
        indices: Int32Array.from(indices),
        values: new Int8Array(indices.length / denseShape.length),
        denseShape,
        borrowed: false,
      };
      const specs = new Map([["s", new SparseTensorSpec([null, null], "int8")]]);
      const converter = new TensorsToRecordBatchConverter(specs, { genericSparseTensorNames: ["s"] });
      return codedError(() => converter.convert({ s: column }));
    };
    const outside = { code: "out-of-range", reason: "sparse-index", tensorName: "s" };
    expect(found([0, 4, 1, 5], [2, 5])).toMatchObject({ ...outside, row: 1 });
    expect(found([0, -1], [1, -1])).toMatchObject({
      ...outside,
      row: 0,
      message: expect.stringContaining("index -1 in dimension 1. Indices must be 0 or more."),
    });
    expect(found([2, 0], [2, 5])).toMatchObject({ ...outside, row: 2 });
    expect(found([-1, 0], [2, 5])).toMatchObject({ ...outside, row: -1 });
  });

  test("rejects sparse tensors that would change if they were stored as lists", () => {
    const convert = (indices: number[], denseShape: number[]): unknown => {
      const spec = new SparseTensorSpec(null, "int8");
      const values = new Int8Array(indices.length / denseShape.length);
      const column: HostSparse = {
        kind: "sparse",
        dtype: "int8",
        indices: Int32Array.from(indices),
        values,
        denseShape,
        borrowed: false,
      };
      return new TensorsToRecordBatchConverter(new Map([["s", spec]])).convert({ s: column });
    };
    const found = (indices: number[], denseShape: number[]): unknown =>
      codedError(() => convert(indices, denseShape));
    expect(found([1, 0, 0, 0], [2, 1])).toMatchObject({
      reason: "unsorted-indices",
      row: 0,
      tensorName: "s",
    });
    expect(found([0, 1], [2, 2])).toMatchObject({ code: "not-convertible", reason: "sparse-gap", row: 0 });
    expect(found([0, 0, 0], [2, 2, 2])).toMatchObject({ code: "shape-mismatch", reason: "type-spec" });
  });

  test("rejects tensors with inconsistent parts", () => {
    const converter = (spec: TypeSpec): TensorsToRecordBatchConverter =>
      new TensorsToRecordBatchConverter(new Map([["t", spec]]));
    const one = Float32Array.of(1);
    const dense = { kind: "dense", dtype: "float32", shape: [2], values: one, borrowed: false } as const;
    const sparse = {
      kind: "sparse",
      dtype: "float32",
      indices: Int32Array.of(0),
      values: one,
      denseShape: [1, 1],
      borrowed: false,
    } as const;
    const cases: readonly (readonly [TypeSpec, HostColumn])[] = [
      [new TensorSpec([null], "float32"), dense],
      [new TensorSpec([null], "float32"), { ...dense, shape: [1], values: Int32Array.of(1) }],
      [new SparseTensorSpec([null, null], "float32"), sparse],
      [new SparseTensorSpec([null, null], "float32"), { ...sparse, denseShape: [-1, 1] }],
      ...[
        [Int32Array.of(1, 1)],
        [Int32Array.of(0, 2, 1)],
        [Int32Array.of(0, 2)],
        [Int32Array.of(0, 2), Int32Array.of(0, 1)],
      ].map(
        (splits) =>
          [
            new RaggedTensorSpec([null, ...splits.map(() => null)], "float32", splits.length, "int64"),
            ragged(one, splits),
          ] as const,
      ),
    ];
    for (const [spec, column] of cases) {
      const error = codedError(() => converter(spec).convert({ t: column }));
      expect(error).toMatchObject({ code: "shape-mismatch", reason: "malformed-tensor", tensorName: "t" });
    }
  });
});

for (const backend of ["cpu", "wasm"]) {
  describe(`tensors on the ${backend} backend`, () => {
    let before = 0;
    beforeEach(async () => {
      tf.enableProdMode();
      await tf.setBackend(backend);
      before = tf.memory().numTensors;
    });
    afterEach(() => {
      expect(tf.memory().numTensors).toBe(before);
    });

    test("become batches from which the adapter restores the original host columns, including their dtypes", async () => {
      for (let seed = 1000; seed < 1040; seed++) {
        const { tensors, specs, options } = randomTensors(seed);
        const converter = new TensorsToRecordBatchConverter(specs, options);
        const made = Object.fromEntries(
          Object.entries(tensors).map(([name, column]) => [name, toTensor(column, { tf })]),
        );
        for (const [name, tensor] of Object.entries(made)) {
          expect(specs.get(name)?.isCompatibleWith(tensor)).toBe(true);
        }
        const batch = await converter.convertTensors(made);
        for (const tensor of Object.values(made)) tensor.dispose();
        const back = new TensorAdapter(converter).toHost(batch);
        expect({ seed, back: plain(back) }).toEqual({ seed, back: plain(tensors) });
      }
    });

    test("become host columns with unchanged bytes if they hold strings, even without a spec", async () => {
      const text = tf.tensor([Uint8Array.of(0xff), Uint8Array.of()], [2], "string");
      const column = await readTensor(text);
      expect(columnJson(column)).toEqual({
        kind: "dense",
        dtype: "string",
        shape: [2],
        values: [{ b64: "/w==" }, { b64: "" }],
      });
      text.dispose();
    });

    test("are rejected if they do not fit their spec, or if their dtype is bool", async () => {
      const rejected = async (
        tensor: tf.Tensor,
        dtype: DType,
        spec = new TensorSpec([null], dtype),
      ): Promise<unknown> => {
        try {
          await readTensor(tensor, { spec, tensorName: "t" });
        } catch (error) {
          if (isTfxioError(error)) return error;
          throw error;
        } finally {
          tensor.dispose();
        }
        throw new Error("nothing was thrown");
      };
      const range = { code: "out-of-range", reason: "value-range", tensorName: "t", row: 1 };
      expect(await rejected(tf.tensor1d([0, -1], "int32"), "uint64")).toMatchObject(range);
      expect(await rejected(tf.tensor1d([0, 128], "int32"), "int8")).toMatchObject(range);
      expect(await rejected(tf.tensor1d([0, 0.5]), "int64")).toMatchObject(range);
      expect(await rejected(tf.tensor1d([0, 2 ** 63]), "int64")).toMatchObject(range);
      expect(await rejected(tf.tensor1d([0, 2 ** 32]), "uint32")).toMatchObject(range);
      expect(await rejected(tf.tensor1d([0, 2 ** -25]), "float16")).toMatchObject(range);
      const mismatch = { code: "shape-mismatch", reason: "type-spec", tensorName: "t" };
      expect(await rejected(tf.tensor1d([0]), "string")).toMatchObject(mismatch);
      expect(await rejected(tf.tensor2d([[0]]), "float32")).toMatchObject(mismatch);
      expect(await rejected(tf.tensor1d([true], "bool"), "int8")).toMatchObject(mismatch);
      const bool = tf.tensor1d([true], "bool");
      await expect(readTensor(bool)).rejects.toMatchObject({
        code: "not-convertible",
        reason: "tensor-dtype",
      });
      bool.dispose();
      const largest = tf.tensor1d([2 ** 62]);
      const spec = new TensorSpec([null], "int64");
      expect((await readTensor(largest, { spec })).values).toEqual(BigInt64Array.of(2n ** 62n));
      largest.dispose();
    });

    test("can be converted together with host columns", async () => {
      const specs = new Map<string, TypeSpec>([
        ["a", new TensorSpec([null], "int64")],
        ["s", new SparseTensorSpec([null, null], "float32")],
      ]);
      const a: HostDense = {
        kind: "dense",
        dtype: "int64",
        shape: [1],
        values: BigInt64Array.of(2n ** 60n),
        borrowed: false,
      };
      const s = new SparseTensor(tf.tensor2d([[0, 0]], [1, 2], "int32"), tf.tensor1d([5]), [1, 1]);
      const batch = await new TensorsToRecordBatchConverter(specs).convertTensors({ a, s });
      s.dispose();
      expect(
        JSON.stringify(batch.toArray(), (_, v: unknown) => (typeof v === "bigint" ? String(v) : v)),
      ).toBe('[{"a":["1152921504606846976"],"s":[5]}]');
    });
  });
}

function ragged(values: Float32Array, nestedRowSplits: readonly Int32Array[]): HostRagged {
  return {
    kind: "ragged",
    dtype: "float32",
    values,
    nestedRowSplits,
    innerShape: [],
    rowSplitsDtype: "int64",
    borrowed: false,
  };
}
