import type * as tfjs from "@tensorflow/tfjs-core";
import { RaggedTensor, SparseTensor } from "@tfxio/tensor-adapter";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";

/** Number of rows, with 5 values in each. TensorFlow.js may process tensors of fewer than 1000 values on the host. */
const NUM_ROWS = 1000;
const ROW_SIZE = 5;
const NUM_VALUES = NUM_ROWS * ROW_SIZE;
/** A default value that float32 cannot represent exactly. */
const DEFAULT_ID = -2_147_483_647;

/** Distinct ids that float32 cannot represent exactly. */
const ids: Int32Array = Int32Array.from(
  { length: NUM_VALUES },
  (_unused, index) =>
    [2_147_483_647 - 2 * index, -2_147_483_647 + 2 * index, 16_777_217 + 2 * index][index % 3] as number,
);

/** Signalling NaNs with distinct payloads. A float32 operation would make them quiet. */
const signals: Float32Array = new Float32Array(
  Uint32Array.from({ length: NUM_VALUES }, (_unused, index) => 0x7f80_0001 + index).buffer,
);

/** Reads the 32-bit words of a tensor as signed integers. */
async function wordsOf(tensor: tfjs.Tensor): Promise<number[]> {
  const { buffer, byteOffset, length } = (await tensor.data()) as Int32Array | Float32Array;
  return [...new Int32Array(buffer, byteOffset, length)];
}

/** Runs `toDense`, `slice` and `concat` on ragged and sparse rows of the given words, and compares every word of the results. */
async function checkOperations(
  tf: typeof tfjs,
  make: () => tfjs.Tensor,
  words: readonly number[],
  fill: { readonly value: number; readonly word: number },
): Promise<void> {
  const splits = Int32Array.from({ length: NUM_ROWS + 1 }, (_unused, row) => row * ROW_SIZE);
  const ragged = new RaggedTensor(make(), [tf.tensor(splits, [NUM_ROWS + 1], "int32")], [splits]);
  const sparse = ragged.toSparse({ tf });
  const twice = [...words, ...words];
  const padded = words.flatMap((word, at) =>
    at % ROW_SIZE === ROW_SIZE - 1 ? [word, fill.word, fill.word] : [word],
  );
  const wide = { tf, shape: [null, ROW_SIZE + 2], defaultValue: fill.value };
  for (const tensor of [ragged, sparse]) {
    const joined =
      tensor instanceof RaggedTensor
        ? RaggedTensor.concat([tensor, tensor], { tf })
        : SparseTensor.concat([tensor, tensor], { tf });
    const part = tensor.slice(10, 610, { tf });
    const dense = [tensor.toDense({ tf }), tensor.toDense(wide)] as const;
    const found = {
      dense: await wordsOf(dense[0]),
      padded: await wordsOf(dense[1]),
      part: await wordsOf(part.values),
      joined: await wordsOf(joined.values),
    };
    for (const each of [joined, part, ...dense]) each.dispose();
    const expected = { dense: words, padded, part: words.slice(50, 3050), joined: twice };
    for (const name of ["dense", "padded", "part", "joined"] as const) {
      const wrong = expected[name].findIndex((word, at) => word !== found[name][at]);
      assertSame({ name, wrong: -1 }, { name, wrong });
      assertSame(expected[name].length, found[name].length);
    }
  }
  ragged.dispose();
  sparse.dispose();
}

/** Checks that operations on sparse and ragged tensors never lose bits of values or positions to float32 arithmetic. */
export async function checkExactWords(tf: typeof tfjs, report: Reporter): Promise<void> {
  const before = [tf.memory().numTensors, tf.memory().numDataBuffers];
  await report.check("tensors: toDense, slice and concat never round int32 values", async () => {
    const make = (): tfjs.Tensor => tf.tensor(ids, [NUM_VALUES], "int32");
    await checkOperations(tf, make, [...ids], { value: DEFAULT_ID, word: DEFAULT_ID });
  });
  await report.check("tensors: toDense rounds no int32 values inside a loss with a gradient", async () => {
    const ragged = new RaggedTensor(tf.tensor(ids, [NUM_VALUES], "int32"), [
      tf.tensor([0, NUM_VALUES - 1, NUM_VALUES], [3], "int32"),
    ]);
    let made: tfjs.Tensor | undefined;
    const loss = tf.customGrad((x) => {
      made = tf.keep(ragged.toDense({ tf }));
      return { value: tf.clone(x as tfjs.Tensor), gradFunc: (change) => change };
    });
    const x = tf.tensor([3]);
    const gradient = tf.grad((each) => loss(each))(x);
    x.dispose();
    const found = await wordsOf(made as tfjs.Tensor);
    assertSame([...ids.slice(0, NUM_VALUES - 1), ids.at(-1)], found.slice(0, NUM_VALUES));
    assertSame([1], [...(await gradient.data())]);
    gradient.dispose();
    made?.dispose();
    ragged.dispose();
  });
  await report.check("tensors: toDense, slice and concat keep every bit of float32 values", async () => {
    const make = (): tfjs.Tensor => tf.tensor(signals, [NUM_VALUES], "float32");
    const words = [...new Int32Array(signals.buffer)];
    await checkOperations(tf, make, words, { value: -1.5, word: -1_077_936_128 });
  });
  await report.check("tensors: toDense keeps bool values", async () => {
    const flags = Array.from({ length: NUM_VALUES }, (_unused, index) => index % 3 === 0);
    const splits = Int32Array.of(0, 2000, NUM_VALUES);
    const ragged = new RaggedTensor(
      tf.tensor(flags, [NUM_VALUES], "bool"),
      [tf.tensor(splits, [3], "int32")],
      [splits],
    );
    const dense = ragged.toDense({ tf, shape: [null, 3001], defaultValue: true });
    const found = await dense.data();
    // Row 1 starts with the value at index 2000: false, as 2000 is not a multiple of 3. The last cell of the row is padding.
    assertSame(
      ["bool", 1, 0, 1, 0, 1, 1],
      [dense.dtype, found[0], found[1], found[2000], found[3001], found[3002], found[6001]],
    );
    dense.dispose();
    ragged.dispose();
  });
  await report.check("tensors: slice reads values after the first 2^24", async () => {
    const numRows = 2 ** 21 + 1;
    const values = Float32Array.from({ length: numRows * 8 }, (_unused, index) => index % 8);
    const indices = new Int32Array(2 * values.length);
    for (let at = 0; at < values.length; at++) indices.set([at >> 3, at & 7], 2 * at);
    const sparse = new SparseTensor(
      tf.tensor(indices, [values.length, 2], "int32"),
      tf.tensor(values, [values.length]),
      [numRows, 8],
      indices,
    );
    const last = sparse.slice(numRows - 1, numRows, { tf });
    assertSame([0, 1, 2, 3, 4, 5, 6, 7], [...(await last.values.data())]);
    last.dispose();
    sparse.dispose();
    assertSame(before, [tf.memory().numTensors, tf.memory().numDataBuffers]);
  });
}
