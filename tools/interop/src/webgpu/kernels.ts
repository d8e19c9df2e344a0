import type * as tfjs from "@tensorflow/tfjs-core";
import type { HostRagged } from "@tfxio/tensor-adapter";
import { fillNullRows, raggedIndices, raggedToDense } from "@tfxio/tensor-adapter/webgpu";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { type Random, seeded } from "../seeded.js";

/** Returns values with random bits. They can include NaNs with payloads, denormals and negative zero. */
function randomValues(
  random: Random,
  length: number,
): Pick<HostRagged, "dtype"> & { values: Int32Array | Float32Array } {
  const bits = Uint32Array.from({ length }, () => random(2 ** 16) * 2 ** 16 + random(2 ** 16));
  return random(2) === 0
    ? { dtype: "float32", values: new Float32Array(bits.buffer) }
    : { dtype: "int32", values: new Int32Array(bits.buffer) };
}

/** Creates a ragged column of one to three partitions. Equal seeds produce equal columns. */
function randomRagged(seed: number): HostRagged {
  const random = seeded(seed);
  const nestedRowSplits: Int32Array[] = [];
  let numLists = random(40);
  for (let level = random(3); level >= 0; level--) {
    const splits = new Int32Array(numLists + 1);
    for (let list = 0; list < numLists; list++) splits[list + 1] = (splits[list] as number) + random(5);
    nestedRowSplits.push(splits);
    numLists = splits.at(-1) as number;
  }
  const innerShape = [[], [3], [2, 2]][random(3)] as number[];
  const innerSize = innerShape.reduce((product, size) => product * size, 1);
  return {
    kind: "ragged",
    ...randomValues(random, numLists * innerSize),
    nestedRowSplits,
    innerShape,
    rowSplitsDtype: "int32",
    borrowed: false,
  };
}

/** Reads the dtype, shape and bits of a tensor, and disposes it. */
async function bitsOf(tensor: tfjs.Tensor): Promise<unknown> {
  const values = (await tensor.data()) as Float32Array | Int32Array;
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const found = { dtype: tensor.dtype, shape: tensor.shape, bits: [...bits] };
  tensor.dispose();
  return found;
}

/** Returns the number of command encoders that `run` creates on the device. It is 0 if everything ran on the host. */
export function runsOnDevice(tf: typeof tfjs, run: () => unknown): number {
  const { device } = tf.backend() as unknown as { readonly device: { createCommandEncoder?: () => object } };
  const encode = device.createCommandEncoder?.bind(device);
  if (encode === undefined) throw new Error("the backend has no WebGPU device");
  let numRuns = 0;
  device.createCommandEncoder = () => {
    numRuns++;
    return encode();
  };
  try {
    run();
  } finally {
    // The original method is on the prototype, so deleting the replacement restores it.
    delete device.createCommandEncoder;
  }
  return numRuns;
}

/** Compares our device kernels bit by bit with the host implementations, and with results that were computed by hand. */
export async function checkKernels(tf: typeof tfjs, report: Reporter): Promise<void> {
  const both = async (make: (minDeviceBytes: number) => tfjs.Tensor): Promise<void> => {
    assertSame(await bitsOf(make(Number.POSITIVE_INFINITY)), await bitsOf(make(0)));
  };
  const memory = (): unknown => [tf.memory().numTensors, tf.memory().numDataBuffers];
  const before = memory();
  await report.check(
    "kernels: results of at least minDeviceBytes are computed on the device, and smaller results on the host",
    () => {
      const numRuns = (minDeviceBytes: number): number =>
        runsOnDevice(tf, () => raggedToDense(randomRagged(1), { tf, minDeviceBytes }).dispose());
      if (numRuns(0) === 0) throw new Error("the kernel ran on the host instead of the device");
      assertSame(0, numRuns(Number.POSITIVE_INFINITY));
    },
  );
  await report.check(
    "kernels: the dense forms of 200 random ragged columns have the same bits as on the host",
    async () => {
      for (let seed = 1; seed <= 200; seed++) {
        const column = randomRagged(seed);
        const sizes = seed % 2 === 0 ? undefined : [null, 2, 3].slice(0, column.nestedRowSplits.length);
        const defaultValue = [0, -1, 7][seed % 3] as number;
        await both((minDeviceBytes) => raggedToDense(column, { tf, minDeviceBytes, sizes, defaultValue }));
      }
    },
  );
  await report.check(
    "kernels: the COO indices of 200 random columns are the same as on the host",
    async () => {
      for (let seed = 1; seed <= 200; seed++) {
        await both((minDeviceBytes) => raggedIndices(randomRagged(seed), { tf, minDeviceBytes }));
      }
    },
  );
  await report.check(
    "kernels: 200 random columns with filled nulls have the same bits as on the host",
    async () => {
      for (let seed = 1; seed <= 200; seed++) {
        const random = seeded(seed);
        const isNull = Uint8Array.from({ length: random(50) }, () => random(2));
        const rowShape = [[], [3], [2, 2]][random(3)] as number[];
        const numPresent = isNull.filter((each) => each === 0).length;
        const rowSize = rowShape.reduce((product, size) => product * size, 1);
        const rows = { ...randomValues(random, numPresent * rowSize), isNull, rowShape };
        await both((minDeviceBytes) => fillNullRows(rows, { tf, minDeviceBytes, defaultValue: 5 }));
      }
    },
  );
  await report.check("kernels: a result may need two dispatch dimensions", async () => {
    // 70000 rows of 64 cells have 4480000 elements. One dispatch dimension covers only 65535 × 64 = 4194240.
    const rowSplits = Int32Array.from({ length: 70_001 }, (_unused, row) => row);
    rowSplits[70_000] = 69_999 + 64;
    const values = Int32Array.from({ length: 69_999 + 64 }, (_unused, index) => index + 1);
    const column: HostRagged = {
      kind: "ragged",
      dtype: "int32",
      values,
      nestedRowSplits: [rowSplits],
      innerShape: [],
      rowSplitsDtype: "int32",
      borrowed: false,
    };
    const tensor = raggedToDense(column, { tf, defaultValue: -1, minDeviceBytes: 0 });
    const padded = await tensor.data();
    tensor.dispose();
    const { length } = padded;
    assertSame(
      [70_000 * 64, 1, -1, 2, 70_000, 69_999 + 64],
      [length, padded[0], padded[1], padded[64], padded[length - 64], padded[length - 1]],
    );
    if (tf.memory().numTensors !== (before as number[])[0]) throw new Error("a tensor leaked");
  });
  await report.check(
    "kernels: TensorFlow.js operations accept the results, which tf.tidy() and dispose() free",
    async () => {
      const column = { ...randomRagged(1), nestedRowSplits: [Int32Array.of(0, 2, 2, 3)], innerShape: [] };
      const ragged: HostRagged = { ...column, dtype: "float32", values: Float32Array.of(1, 2, 3) };
      const sum = tf.tidy(() =>
        tf.sum(tf.square(raggedToDense(ragged, { tf, defaultValue: 10, minDeviceBytes: 0 })), 1),
      );
      // The rows are [1, 2], [10, 10] and [3, 10].
      assertSame([5, 200, 109], [...(await sum.data())]);
      sum.dispose();
      const inGpu = tf.memory() as unknown as { readonly numBytesInGPU: number };
      const bytes = inGpu.numBytesInGPU;
      for (let round = 0; round < 20; round++) await bitsOf(raggedToDense(ragged, { tf, minDeviceBytes: 0 }));
      const after = (tf.memory() as unknown as { readonly numBytesInGPU: number }).numBytesInGPU;
      assertSame({ memory: before, bytes }, { memory: memory(), bytes: after });
    },
  );
}
