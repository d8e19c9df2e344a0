import type * as tfjs from "@tensorflow/tfjs-core";
import { parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import { type AnyTensor, RaggedTensor, readTensor, SparseTensor, TensorAdapter } from "@tfxio/tensor-adapter";
import {
  type Data,
  type DataType,
  Field,
  Float16,
  Float32,
  Float64,
  Int64,
  Int8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Uint32,
  Uint8,
} from "apache-arrow";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { type Random, seeded } from "../seeded.js";
import { runsOnDevice } from "./kernels.js";

/** Functions that create random column values, all of which the default policies convert exactly. */
const leaves: readonly ((random: Random, length: number) => Data)[] = [
  (random, length) =>
    makeData({
      type: new Int64(),
      data: BigInt64Array.from({ length }, () => BigInt(random(2 ** 31)) - 2n ** 30n),
    }),
  (random, length) =>
    makeData({ type: new Uint32(), data: Uint32Array.from({ length }, () => random(2 ** 31)) }),
  (random, length) => makeData({ type: new Uint8(), data: Uint8Array.from({ length }, () => random(256)) }),
  (random, length) => makeData({ type: new Int8(), data: Int8Array.from({ length }, () => random(256)) }),
  (random, length) =>
    makeData({ type: new Float16(), data: Uint16Array.from({ length }, () => random(2 ** 16)) }),
  (random, length) =>
    makeData({ type: new Float64(), data: Float64Array.from({ length }, () => random(2 ** 20) / 8) }),
  (random, length) => makeData({ type: new Float32(), data: anyBits(random, length) }),
];

/** Returns random floats without signalling NaNs. TensorFlow.js's gather, which computes expected values, makes NaNs quiet. */
function anyBits(random: Random, length: number): Float32Array {
  const bits = Uint32Array.from({ length }, () => random(2 ** 16) * 2 ** 16 + random(2 ** 16));
  return new Float32Array(bits.map((each) => ((each >>> 23) % 256 === 255 ? each | 0x40_0000 : each)).buffer);
}

/** Creates a batch with one list column. Rows have up to 5 values, and some rows are null. */
function randomBatch(random: Random): RecordBatch {
  const numRows = random(60);
  const isNull = Array.from({ length: numRows }, () => random(4) === 0);
  const valueOffsets = new Int32Array(numRows + 1);
  const nullBitmap = new Uint8Array(Math.ceil(numRows / 8));
  for (let row = 0; row < numRows; row++) {
    valueOffsets[row + 1] = (valueOffsets[row] as number) + (isNull[row] ? 0 : random(6));
    if (!isNull[row]) nullBitmap[row >> 3] = (nullBitmap[row >> 3] as number) | (1 << (row & 7));
  }
  const make = leaves[random(leaves.length)] as (typeof leaves)[number];
  const child = make(random, valueOffsets[numRows] as number);
  const type: DataType = new List(new Field("item", child.type, true));
  const nullCount = isNull.filter(Boolean).length;
  const list = makeData({ type: type as List, length: numRows, nullCount, nullBitmap, valueOffsets, child });
  const fields = [new Field("x", type, true)];
  return new RecordBatch(
    new Schema(fields),
    makeData({ type: new Struct(fields), length: numRows, nullCount: 0, children: [list] }),
  );
}

/** Converts a tensor, and the results of operations on it, to plain values that keep every bit. */
async function plain(tensor: AnyTensor, tf: typeof tfjs): Promise<unknown> {
  if (tensor instanceof RaggedTensor) {
    const { rowSplits, values } = tensor;
    const made = [tensor.toDense({ tf }), tensor.toDense({ tf, shape: [7, 3], defaultValue: 9 })] as const;
    const sparse = tensor.toSparse({ tf });
    const dense = [];
    for (const each of made) {
      dense.push(await plain(each, tf));
      each.dispose();
    }
    const inCoo = await plain(sparse, tf);
    sparse.dispose();
    return {
      rowSplits: rowSplits.map((splits) => [...splits]),
      values: await plain(values, tf),
      dense,
      inCoo,
    };
  }
  if (tensor instanceof SparseTensor) {
    const { denseShape, hostIndices, indices, values } = tensor;
    const onDevice = await plain(indices, tf);
    return { denseShape, hostIndices: [...hostIndices], onDevice, values: await plain(values, tf) };
  }
  const { values } = await readTensor(tensor);
  const words = values as Float32Array;
  const bits = [...new Uint32Array(words.buffer, words.byteOffset, words.length)];
  return { dtype: tensor.dtype, shape: tensor.shape, bits };
}

const text = (kind: string): string => `${kind} default_value { int_value: 3 } }`;

/** Compares, bit by bit, the tensors that `toTensors` lays out on the device with those that it lays out on the host. */
export async function checkLayouts(tf: typeof tfjs, report: Reporter): Promise<void> {
  const before = tf.memory();
  await report.check(
    "toTensors: 200 random columns laid out on the device have the same bits as on the host",
    async () => {
      let total = 0;
      for (let seed = 1; seed <= 200; seed++) {
        const random = seeded(seed);
        const batch = randomBatch(random);
        const isFloat = String(batch.schema.fields[0]?.type).includes("Float");
        const dense = text(`dense_tensor { column_name: "x" shape { dim { size: ${random(5)} } }`);
        const texts = {
          dense: isFloat ? dense.replace("int_value", "float_value") : dense,
          sparse: 'varlen_sparse_tensor { column_name: "x" }',
          ragged: 'ragged_tensor { feature_path { step: "x" } }',
        };
        const adapter = new TensorAdapter({
          arrowSchema: batch.schema,
          tensorRepresentations: new Map(
            Object.entries(texts).map(([name, each]) => [
              name,
              parseMessageText(TensorRepresentationSchema, each),
            ]),
          ),
          onShort: "pad",
          onLong: "truncate",
        });
        const found: unknown[] = [];
        const numRuns: number[] = [];
        // The first object hides the name of the backend, so `toTensors` runs none of our kernels with it.
        for (const each of [{ ...tf, getBackend: () => "unknown" }, tf]) {
          const tensors: AnyTensor[] = [];
          const make = (): unknown =>
            tensors.push(...Object.values(adapter.toTensors(batch, { tf: each, minDeviceBytes: 0 })));
          numRuns.push(runsOnDevice(tf, make));
          const read: unknown[] = [];
          for (const tensor of tensors) {
            read.push(await plain(tensor, each));
            tensor.dispose();
          }
          found.push(read);
        }
        assertSame({ seed, tensors: found[0] }, { seed, tensors: found[1] });
        assertSame(0, numRuns[0]);
        total += numRuns[1] ?? 0;
      }
      if (total < 200) throw new Error(`at least 200 kernels must run on the device, found ${total}`);
      const { numTensors, numDataBuffers } = tf.memory();
      assertSame([before.numTensors, before.numDataBuffers], [numTensors, numDataBuffers]);
    },
  );
  await report.check("toTensors and toDense leak nothing if creating a tensor fails", () => {
    const batch = randomBatch(seeded(3));
    const adapter = new TensorAdapter({
      arrowSchema: batch.schema,
      tensorRepresentations: new Map(
        ['ragged_tensor { feature_path { step: "x" } }', 'varlen_sparse_tensor { column_name: "x" }'].map(
          (each) => [each, parseMessageText(TensorRepresentationSchema, each)],
        ),
      ),
    });
    const memory = (): unknown => {
      const { numTensors, numDataBuffers } = tf.memory();
      const { numBytesInGPU } = tf.memory() as unknown as { readonly numBytesInGPU: number };
      return { numTensors, numDataBuffers, numBytesInGPU };
    };
    const failing = (failAt: number): typeof tfjs => {
      let numMade = 0;
      const tensor: typeof tf.tensor = (...given) => {
        if (numMade++ === failAt) throw new RangeError("out of memory");
        return tf.tensor(...given);
      };
      return { ...tf, tensor };
    };
    const assertFails = (run: () => unknown): void => {
      try {
        run();
      } catch (error) {
        if (error instanceof RangeError) return;
        throw error;
      }
      throw new Error("expected the operation to fail");
    };
    const empty = memory();
    // TensorFlow.js creates four tensors: two for the ragged tensor and two for the sparse tensor.
    for (let failAt = 0; failAt < 4; failAt++) {
      assertFails(() => adapter.toTensors(batch, { tf: failing(failAt), minDeviceBytes: 0 }));
      assertSame(empty, memory());
    }
    const [ragged, sparse] = Object.values(adapter.toTensors(batch, { tf, minDeviceBytes: 0 })) as [
      RaggedTensor,
      SparseTensor,
    ];
    // The first call uploads the values, which then stay on the device.
    assertFails(() => ragged.toDense({ tf: failing(0) }));
    const full = memory();
    assertFails(() => ragged.toDense({ tf: failing(0) }));
    assertSame(full, memory());
    ragged.dispose();
    sparse.dispose();
    assertSame(empty, memory());
  });
}
