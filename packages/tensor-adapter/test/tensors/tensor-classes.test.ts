import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-backend-wasm";
import * as tf from "@tensorflow/tfjs-core";
import {
  RaggedTensor,
  SparseTensor,
  StructuredTensor,
  type TensorOps,
  tidyTensors,
} from "../../src/index.js";
import { type Random, seeded } from "../random.js";
import { codedError } from "../representations.js";

type Nested = readonly (number | Nested)[];

/** Returns the row splits and the flat values of rows that are lists nested `depth` levels deep. */
function flattened(rows: readonly unknown[], depth: number): { splits: number[][]; values: unknown[] } {
  const splits: number[][] = [];
  let values = rows;
  for (let level = 0; level < depth; level++) {
    let end = 0;
    splits.push([0, ...(values as unknown[][]).map((list) => (end += list.length))]);
    values = (values as unknown[][]).flat();
  }
  return { splits, values: [...values] };
}

/** Creates a ragged tensor from nested lists. The constructor gets the row splits only as tensors, not also in host memory. */
function ragged(
  rows: readonly unknown[],
  depth: number,
  dtype: tf.DataType = "int32",
  inner: number[] = [],
): RaggedTensor {
  const { splits, values } = flattened(rows, depth);
  return new RaggedTensor(
    tf.tensor(values.flat(9) as number[], [values.length, ...inner], dtype),
    splits.map((each) => tf.tensor1d(each, "int32")),
  );
}

function sparse(
  indices: number[][],
  values: unknown[],
  denseShape: number[],
  dtype: tf.DataType = "int32",
): SparseTensor {
  return new SparseTensor(
    tf.tensor(indices.flat(), [indices.length, denseShape.length], "int32"),
    tf.tensor(values as number[], [values.length], dtype),
    denseShape,
  );
}

async function read(tensor: tf.Tensor): Promise<unknown> {
  const array: unknown = await tensor.array();
  tensor.dispose();
  return array;
}

async function readSparse(tensor: SparseTensor): Promise<unknown> {
  const { indices, values, denseShape } = tensor;
  expect(Array.from(tensor.hostIndices)).toEqual(Array.from(await indices.data()));
  const content = [await indices.array(), await values.array(), denseShape];
  tensor.dispose();
  return content;
}

async function readRagged(tensor: RaggedTensor): Promise<unknown> {
  const splits = await Promise.all(tensor.nestedRowSplits.map((each) => each.array()));
  expect(tensor.rowSplits.map((each) => Array.from(each))).toEqual(splits);
  const content = [splits, await tensor.values.array()];
  tensor.dispose();
  return content;
}

function randomRows(random: Random, numRows: number, depth: number): Nested[] {
  return Array.from({ length: numRows }, () => randomList(random, depth));
}

function randomList(random: Random, depth: number): Nested {
  const length = random(4);
  return Array.from({ length }, () => (depth === 1 ? random(100) : randomList(random, depth - 1)));
}

/** Pads nested lists with `fill` or truncates them, so that every level has the length in `sizes`. */
function padded(list: Nested, sizes: readonly number[], fill: number): Nested {
  const [size = 0, ...inner] = sizes;
  const empty: Nested = [];
  return Array.from({ length: size }, (_, at) => {
    if (inner.length === 0) return (list[at] as number | undefined) ?? fill;
    return padded((list[at] as Nested | undefined) ?? empty, inner, fill);
  });
}

function bounds(list: Nested, depth: number): number[] {
  if (depth === 0) return [list.length];
  const inner = list.map((each) => bounds(each as Nested, depth - 1));
  return [
    list.length,
    ...Array.from({ length: depth }, (_, at) => Math.max(0, ...inner.map((each) => each[at] as number))),
  ];
}

for (const backend of ["cpu", "wasm"]) {
  describe(`on the ${backend} backend,`, () => {
    let before = 0;
    beforeEach(async () => {
      tf.enableProdMode();
      await tf.setBackend(backend);
      before = tf.memory().numTensors;
    });
    afterEach(() => {
      expect(tf.memory().numTensors).toBe(before);
    });

    describe("RaggedTensor", () => {
      test("becomes dense and keeps every bit of signalling NaNs", async () => {
        const bits = [0x7f80_0001, 0xff81_2345, 0x0000_0001];
        const values = new Float32Array(Uint32Array.from(bits).buffer);
        const tensor = new RaggedTensor(tf.tensor(values, [3]), [tf.tensor([0, 2, 3], [3], "int32")]);
        const dense = tensor.toDense({ tf });
        const words = (await dense.data()) as Float32Array;
        const found = [...new Uint32Array(words.buffer, words.byteOffset, words.length)];
        expect(found).toEqual([0x7f80_0001, 0xff81_2345, 0x0000_0001, 0]);
        tensor.dispose();
        dense.dispose();
      });

      test("becomes a dense tensor or a mask, as wide as its longest row or in a requested shape", async () => {
        const tensor = ragged([[1, 2], [], [3]], 1);
        expect(tensor.shape).toEqual([3, null]);
        expect(await read(tensor.toDense({ tf }))).toEqual([
          [1, 2],
          [0, 0],
          [3, 0],
        ]);
        expect(await read(tensor.toDense({ tf, defaultValue: -1, shape: [null, 3] }))).toEqual([
          [1, 2, -1],
          [-1, -1, -1],
          [3, -1, -1],
        ]);
        expect(await read(tensor.toDense({ tf, shape: [4, 1] }))).toEqual([[1], [0], [3], [0]]);
        expect(await read(tensor.toMask({ tf, shape: [null, 3] }))).toEqual([
          [1, 1, 0],
          [0, 0, 0],
          [1, 0, 0],
        ]);
        tensor.dispose();
        const pairs = ragged([[[1, 2]], []], 1, "float32", [2]);
        expect(await read(pairs.toDense({ tf, defaultValue: 0.5, shape: [null, 2, 2] }))).toEqual([
          [
            [1, 2],
            [0.5, 0.5],
          ],
          [
            [0.5, 0.5],
            [0.5, 0.5],
          ],
        ]);
        expect(await read(pairs.toMask({ tf }))).toEqual([[1], [0]]);
        pairs.dispose();
      });

      test("becomes the same dense tensor as padded nested lists, directly or through its sparse form", async () => {
        for (let seed = 0; seed < 60; seed++) {
          const random = seeded(seed);
          const depth = 1 + random(3);
          const rows = randomRows(random, random(4), depth);
          const tensor = ragged(rows, depth);
          const sizes = bounds(rows, depth);
          const dense = tensor.toDense({ tf, defaultValue: -7 });
          expect({ seed, shape: dense.shape }).toEqual({ seed, shape: sizes });
          if (dense.size > 0)
            expect({ seed, dense: await dense.array() }).toEqual({ seed, dense: padded(rows, sizes, -7) });
          dense.dispose();
          const asked = sizes.map(() => random(5));
          const cut = tensor.toDense({ tf, defaultValue: -7, shape: asked });
          expect({ seed, shape: cut.shape }).toEqual({ seed, shape: asked });
          if (cut.size > 0)
            expect({ seed, cut: await cut.array() }).toEqual({ seed, cut: padded(rows, asked, -7) });
          cut.dispose();
          // An unknown backend is treated like one whose values are not in host memory.
          const onDevice = tensor.toDense({ tf: { ...tf, getBackend: () => "another" }, defaultValue: -7 });
          const onHost = tensor.toDense({ tf, defaultValue: -7 });
          expect({ seed, data: await onDevice.data() }).toEqual({ seed, data: await onHost.data() });
          for (const each of [onDevice, onHost]) each.dispose();
          // Converts through the sparse form.
          const coo = tensor.toSparse({ tf });
          expect(coo.denseShape).toEqual(sizes);
          const viaSparse = coo.toDense({ tf, defaultValue: -7 });
          const again = tensor.toDense({ tf, defaultValue: -7 });
          expect({ seed, data: await viaSparse.data() }).toEqual({ seed, data: await again.data() });
          for (const each of [viaSparse, again, coo, tensor]) each.dispose();
        }
      });

      test("becomes a sparse tensor whose indices include the inner dimensions", async () => {
        const tensor = ragged(
          [
            [[1, 2]],
            [],
            [
              [3, 4],
              [5, 6],
            ],
          ],
          1,
          "float32",
          [2],
        );
        expect(await readSparse(tensor.toSparse({ tf }))).toEqual([
          [
            [0, 0, 0],
            [0, 0, 1],
            [2, 0, 0],
            [2, 0, 1],
            [2, 1, 0],
            [2, 1, 1],
          ],
          [1, 2, 3, 4, 5, 6],
          [3, 2, 2],
        ]);
        tensor.dispose();
      });

      test("returns the lengths of its lists at each level, and rejects a level that does not exist", () => {
        const tensor = ragged([[[1], [2, 3]], [], [[]]], 2);
        expect(tensor.rowLengths()).toEqual(Int32Array.of(2, 0, 1));
        expect(tensor.rowLengths(1)).toEqual(Int32Array.of(1, 2, 0));
        expect(codedError(() => tensor.rowLengths(2))).toMatchObject({ reason: "ragged-level" });
        tensor.dispose();
      });

      test("slices and joins random rows", async () => {
        for (let seed = 0; seed < 60; seed++) {
          const random = seeded(seed);
          const depth = 1 + random(3);
          const rows = randomRows(random, random(6), depth);
          const tensor = ragged(rows, depth);
          const cut = random(rows.length + 1);
          const parts = [tensor.slice(0, cut, { tf }), tensor.slice(cut, rows.length, { tf })] as const;
          const { splits, values } = flattened(rows.slice(cut), depth);
          const joined = RaggedTensor.concat(parts, { tf });
          expect({ seed, equal: await joined.equals(tensor) }).toEqual({ seed, equal: true });
          for (const each of [tensor, joined, parts[0]]) each.dispose();
          expect({ seed, part: await readRagged(parts[1]) }).toEqual({ seed, part: [splits, values] });
        }
      });

      test("equals only tensors with the same dtype, row splits and values", async () => {
        const make = (...[rows, depth, dtype]: Parameters<typeof ragged>): RaggedTensor =>
          ragged(rows, depth, dtype);
        const tensor = make([[1, Number.NaN], []], 1, "float32");
        for (const [other, isEqual] of [
          [make([[1, Number.NaN], []], 1, "float32"), true],
          [make([[1], [Number.NaN]], 1, "float32"), false],
          [make([[1, 2], []], 1, "float32"), false],
          [make([[1, 2], []], 1, "int32"), false],
          [make([[[1, Number.NaN]], []], 2, "float32"), false],
        ] as const) {
          expect(await tensor.equals(other)).toBe(isEqual);
          other.dispose();
        }
        tensor.dispose();
      });

      test("keeps bytes that are not UTF-8", async () => {
        const bytes = [Uint8Array.of(0xff), Uint8Array.of(0xfe, 0), Uint8Array.of()];
        const tensor = new RaggedTensor(tf.tensor(bytes, [3], "string"), [tf.tensor1d([0, 1, 3], "int32")]);
        const part = tensor.slice(1, 2, { tf });
        const joined = RaggedTensor.concat([part, tensor], { tf });
        const dense = joined.toDense({ tf, defaultValue: "é", shape: [null, 3] });
        expect(await dense.bytes()).toEqual(
          [[0xfe, 0], [], [0xc3, 0xa9], [0xff], [0xc3, 0xa9], [0xc3, 0xa9], [0xfe, 0], [], [0xc3, 0xa9]].map(
            (each) => Uint8Array.from(each),
          ),
        );
        expect(await part.equals(tensor)).toBe(false);
        for (const each of [tensor, part, joined, dense]) each.dispose();
      });

      test("rejects invalid shapes, default values and row ranges, and tensors that cannot be joined", () => {
        const tensor = ragged([[[1, 2]]], 1, "int32", [2]);
        const deeper = ragged([[[1]]], 2);
        const narrow = ragged([[[1]]], 1, "int32", [1]);
        const rejected = (run: () => unknown): unknown => codedError(run);
        for (const shape of [
          [null, null],
          [null, null, 3],
          [null, -1, 2],
          [1.5, null, null],
        ]) {
          expect(rejected(() => tensor.toDense({ tf, shape }))).toMatchObject({
            code: "invalid-argument",
            reason: "dense-shape",
          });
        }
        expect(rejected(() => tensor.toDense({ tf, shape: [2 ** 20, 2 ** 20, 2] }))).toMatchObject({
          code: "out-of-range",
          reason: "batch-too-large",
        });
        expect(() => tensor.toDense({ tf, shape: [null, 2] })).toThrow(
          "Shape [null, 2] does not fit dimensions [1, 1, 2]",
        );
        for (const defaultValue of [0.5, "x", true, 2 ** 31]) {
          expect(rejected(() => tensor.toDense({ tf, defaultValue }))).toMatchObject({
            reason: "default-value",
          });
        }
        for (const [start, end] of [
          [0, 2],
          [-1, 1],
          [1, 0],
          [0, 0.5],
        ] as const) {
          expect(rejected(() => tensor.slice(start, end, { tf }))).toMatchObject({ reason: "row-range" });
        }
        expect(rejected(() => RaggedTensor.concat([], { tf }))).toMatchObject({ reason: "no-tensors" });
        for (const other of [deeper, narrow]) {
          expect(rejected(() => RaggedTensor.concat([tensor, other], { tf }))).toMatchObject({
            reason: "unlike-tensors",
          });
        }
        for (const each of [tensor, deeper, narrow]) each.dispose();
      });
    });

    describe("SparseTensor", () => {
      test("becomes dense in its own shape or in a requested shape", async () => {
        const tensor = sparse(
          [
            [0, 1],
            [2, 0],
            [2, 0],
          ],
          [5, 6, 7],
          [3, 2],
        );
        expect(await read(tensor.toDense({ tf }))).toEqual([
          [0, 5],
          [0, 0],
          [7, 0],
        ]);
        expect(await read(tensor.toDense({ tf, defaultValue: -1, shape: [null, 3] }))).toEqual([
          [-1, 5, -1],
          [-1, -1, -1],
          [7, -1, -1],
        ]);
        expect(await read(tensor.toDense({ tf, shape: [1, 1] }))).toEqual([[0]]);
        tensor.dispose();
        const cut = sparse([[0, 1]], [5], [3, 2]);
        expect(await read(cut.toDense({ tf, shape: [3, 1] }))).toEqual([[0], [0], [0]]);
        cut.dispose();
        const open = sparse(
          [
            [0, 0, 1],
            [1, 2, 0],
          ],
          ["a", "b"],
          [2, -1, 2],
          "string",
        );
        expect(await read(open.toDense({ tf, defaultValue: "-" }))).toEqual([
          [
            ["-", "a"],
            ["-", "-"],
            ["-", "-"],
          ],
          [
            ["-", "-"],
            ["-", "-"],
            ["b", "-"],
          ],
        ]);
        open.dispose();
      });

      test("slices its rows, and joins tensors of different widths", async () => {
        const tensor = sparse(
          [
            [2, 4],
            [0, 1],
            [2, 0],
          ],
          [1, 2, 3],
          [3, 5],
          "float32",
        );
        const wider = sparse([[0, 8]], [4], [1, 9], "float32");
        expect(tensor.rowLengths()).toEqual(Int32Array.of(1, 0, 2));
        expect(await readSparse(tensor.slice(1, 3, { tf }))).toEqual([
          [
            [1, 4],
            [1, 0],
          ],
          [1, 3],
          [2, 5],
        ]);
        expect(await readSparse(tensor.slice(1, 2, { tf }))).toEqual([[], [], [1, 5]]);
        expect(await readSparse(SparseTensor.concat([tensor, wider], { tf }))).toEqual([
          [
            [2, 4],
            [0, 1],
            [2, 0],
            [3, 8],
          ],
          [1, 2, 3, 4],
          [4, 9],
        ]);
        const open = sparse([], [], [1, -1], "float32");
        expect(await readSparse(SparseTensor.concat([open, wider], { tf }))).toEqual([
          [[1, 8]],
          [4],
          [2, -1],
        ]);
        for (const each of [tensor, wider, open]) each.dispose();
      });

      test("equals only tensors with the same dtype, dense shape, indices and values", async () => {
        const tensor = sparse([[0, 1]], [5], [1, 2]);
        for (const [other, isEqual] of [
          [sparse([[0, 1]], [5], [1, 2]), true],
          [sparse([[0, 0]], [5], [1, 2]), false],
          [sparse([[0, 1]], [6], [1, 2]), false],
          [sparse([[0, 1]], [5], [1, 3]), false],
          [sparse([[0, 1]], [5], [1, 2], "float32"), false],
          [sparse([], [], [1, 2]), false],
        ] as const) {
          expect(await tensor.equals(other)).toBe(isEqual);
          other.dispose();
        }
        tensor.dispose();
      });

      test("rejects indices outside its shape, row ranges beyond its rows, and tensors that cannot be joined", () => {
        const wide = sparse([[0, 2]], [5], [1, 2]);
        const negative = sparse([[0, -1]], [5], [1, -1]);
        const row = sparse([[1, 0]], [5], [1, 1]);
        for (const tensor of [wide, negative]) {
          expect(codedError(() => tensor.toDense({ tf }))).toMatchObject({
            code: "out-of-range",
            reason: "sparse-index",
          });
        }
        expect(codedError(() => row.rowLengths())).toMatchObject({
          code: "out-of-range",
          reason: "sparse-index",
        });
        const deep = sparse([[0, 0, 0]], [5], [1, 1, 1]);
        const floats = sparse([[0, 0]], [5], [1, 2], "float32");
        const fine = sparse([[0, 1]], [5], [1, 2]);
        for (const other of [deep, floats]) {
          expect(codedError(() => SparseTensor.concat([fine, other], { tf }))).toMatchObject({
            reason: "unlike-tensors",
          });
        }
        expect(codedError(() => SparseTensor.concat([], { tf }))).toMatchObject({ reason: "no-tensors" });
        expect(codedError(() => wide.slice(0, 2, { tf }))).toMatchObject({ reason: "row-range" });
        for (const each of [wide, negative, row, deep, floats, fine]) each.dispose();
      });
    });

    test("an operation leaks no tensor if it fails halfway", () => {
      const rows = ragged([[1, 2], [3]], 1);
      const coo = sparse(
        [
          [0, 1],
          [1, 0],
        ],
        [1, 2],
        [2, 2],
      );
      const operations: ((options: { tf: TensorOps }) => unknown)[] = [
        (options) => rows.toDense(options),
        (options) => rows.toSparse(options),
        (options) => rows.slice(0, 1, options),
        (options) => RaggedTensor.concat([rows, rows], options),
        (options) => coo.toDense(options),
        (options) => coo.slice(0, 1, options),
        (options) => SparseTensor.concat([coo, coo], options),
      ];
      const replaceable = {
        tensor: tf.tensor,
        gather: tf.gather,
        concat: tf.concat,
        slice: tf.slice,
        reshape: tf.reshape,
      };
      const kept = tf.memory().numTensors;
      for (const operation of operations) {
        for (let failAt = 1; ; failAt++) {
          let calls = 0;
          const failing = Object.fromEntries(
            Object.entries(replaceable).map(([name, op]) => [
              name,
              (...given: never[]): unknown => {
                if (++calls === failAt) throw new Error("out of memory");
                return (op as (...all: never[]) => unknown)(...given);
              },
            ]),
          );
          const run = (): unknown =>
            operation({
              tf: { ...failing, tidy: tf.tidy, engine: tf.engine, getBackend: () => "another" } as TensorOps,
            });
          const failed = (): boolean => {
            try {
              (run() as { dispose: () => void }).dispose();
              return false;
            } catch {
              return true;
            }
          };
          const hasFailed = failed();
          expect(tf.memory().numTensors).toBe(kept);
          if (!hasFailed) break;
        }
      }
      rows.dispose();
      coo.dispose();
    });

    test("tidyTensors rejects an async function, and disposes the tensors made before its first await", () => {
      const bodies = [
        async () => tf.tensor([1]),
        async () => {
          tf.tensor([1]);
          throw new Error("nobody hears of this");
        },
      ];
      for (const body of bodies) {
        expect(codedError(() => tidyTensors(tf, body as never))).toMatchObject({
          code: "invalid-argument",
          argument: "body",
        });
      }
    });

    test("tidyTensors keeps the dense, sparse and ragged tensors that its body returns, and disposes the others", async () => {
      const kept = tidyTensors(tf, () => {
        const tensor = ragged([[1, 2], [3]], 1);
        const part = tensor.slice(0, 1, { tf });
        return {
          part,
          coo: tensor.toSparse({ tf }),
          both: [tensor.toDense({ tf }), part.toDense({ tf })] as const,
        };
      });
      expect(tf.memory().numTensors).toBe(before + 2 + 2 + 2);
      expect(await read(kept.both[0])).toEqual([
        [1, 2],
        [3, 0],
      ]);
      kept.both[1].dispose();
      expect(await readRagged(kept.part)).toEqual([[[0, 2]], [1, 2]]);
      kept.coo.dispose();
      const fail = (): RaggedTensor => {
        ragged([[1]], 1);
        throw new Error("no");
      };
      expect(() => tidyTensors(tf, fail)).toThrow("no");
    });
  });
}

test("a tensor prints its kind, shape and dtype without reading values", () => {
  const [age, tags] = [tf.tensor1d([1, 2], "int32"), ragged([[1, 2, 3], []], 1, "int32")];
  const weights = sparse([[0, 1]], [1.5], [2, -1], "float32");
  const deep = ragged([[[[1, 2]], []], []], 2, "float32", [2]);
  const inner = new StructuredTensor({ url: ragged([["a"], []], 1, "string") }, 1);
  const user = new StructuredTensor({ age, tags, weights, inner }, 0);
  const readValues = jest.spyOn(tf.Tensor.prototype, "dataSync");
  try {
    expect(`${tags}`).toBe("RaggedTensor(shape=[2, ?], dtype=int32, raggedRank=1)");
    expect(String(deep)).toBe("RaggedTensor(shape=[2, ?, ?, 2], dtype=float32, raggedRank=2)");
    expect(String(weights)).toBe("SparseTensor(shape=[2, ?], dtype=float32)");
    expect(String(user)).toBe(
      "StructuredTensor(shape=[2], fields={age: Tensor(shape=[2], dtype=int32), " +
        "tags: RaggedTensor(shape=[2, ?], dtype=int32, raggedRank=1), " +
        "weights: SparseTensor(shape=[2, ?], dtype=float32), " +
        "inner: StructuredTensor(shape=[2, ?], fields={url: RaggedTensor(shape=[2, ?], dtype=string, raggedRank=1)})})",
    );
    expect(String(new StructuredTensor({}, 0))).toBe("StructuredTensor(shape=[?], fields={})");
    expect(readValues).not.toHaveBeenCalled();
  } finally {
    readValues.mockRestore();
    user.dispose();
    deep.dispose();
  }
});
