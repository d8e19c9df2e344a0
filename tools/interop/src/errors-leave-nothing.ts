import type * as tfjs from "@tensorflow/tfjs-core";
import { parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import {
  type HostRagged,
  RaggedTensor,
  SparseTensor,
  TensorAdapter,
  TensorsToRecordBatchConverter,
  tidyTensors,
} from "@tfxio/tensor-adapter";
import { raggedToDense } from "@tfxio/tensor-adapter/webgpu";
import { isTfxioError, type TfxioErrorCode } from "@tfxio/wire";
import { Field, Float32, Int64, List, type RecordBatch, Table, vectorFromArray } from "apache-arrow";
import { assertSame } from "./assert-same.js";
import type { Reporter } from "./interop.js";

const floats = new List(new Field("item", new Float32(), true));
const integers = new List(new Field("item", new Int64(), true));

/** The last value of `wide` does not fit into int32. */
const [batch] = new Table({
  dense: vectorFromArray([[1], [2]], floats),
  ids: vectorFromArray([[1n], [2n, 3n]], integers),
  wide: vectorFromArray([[4n], [2n ** 31n]], integers),
}).batches as [RecordBatch];

const representations = {
  dense: 'dense_tensor { column_name: "dense" shape { } }',
  ragged: 'ragged_tensor { feature_path { step: "ids" } }',
  sparse: 'varlen_sparse_tensor { column_name: "ids" }',
  wide: 'varlen_sparse_tensor { column_name: "wide" }',
};

const adapter = new TensorAdapter({
  arrowSchema: batch.schema,
  tensorRepresentations: new Map(
    Object.entries(representations).map(([name, text]) => [
      name,
      parseMessageText(TensorRepresentationSchema, text),
    ]),
  ),
});
const names = ["dense", "ragged", "sparse"];

/** Checks that failing operations throw the right error on the current backend, and leak no tensors. */
export async function checkErrors(tf: typeof tfjs, report: Reporter): Promise<void> {
  const check = (what: string, run: () => unknown): Promise<void> =>
    report.check(`nothing leaks after ${what}`, () => leavingNothing(tf, run));

  await check("the rejection of a value that does not fit into int32", () =>
    assertThrows("out-of-range", () => adapter.toTensors(batch, { tf })),
  );
  await check("a failure to create one of the tensors", () => {
    // TensorFlow.js creates five tensors: one for the dense tensor, two for the ragged tensor, and two for the sparse tensor.
    for (let failing = 0; failing < 5; failing++) {
      const limited = failingAt(tf, failing);
      assertThrows(RangeError, () => adapter.toTensors(batch, { tf: limited, names }));
    }
  });
  await check("rejected operations", () => {
    const tensors = adapter.toTensors(batch, { tf, names });
    const { ragged, sparse } = tensors as unknown as { ragged: RaggedTensor; sparse: SparseTensor };
    for (const operation of rejected(tf, ragged, sparse)) assertThrows("invalid-argument", operation);
    for (const tensor of Object.values(tensors)) tensor.dispose();
  });
  await check("an error inside tidyTensors", () =>
    assertThrows(RangeError, () =>
      tidyTensors(tf, () => {
        adapter.toTensors(batch, { tf, names });
        throw new RangeError("in the middle");
      }),
    ),
  );
  await check("the rejection of tensors that cannot become a batch", async () => {
    const converter = new TensorsToRecordBatchConverter(adapter.typeSpecs());
    const tensors = adapter.toTensors(batch, { tf, names });
    const swapped = { ...tensors, ragged: tensors["dense"], wide: tensors["sparse"] } as typeof tensors;
    const [settled] = await Promise.allSettled([converter.convertTensors(swapped)]);
    for (const tensor of Object.values(tensors)) tensor.dispose();
    assertThrows("shape-mismatch", () => {
      if (settled.status === "rejected") throw settled.reason;
    });
  });
  await check("a kernel that fails", () => {
    const column: HostRagged = {
      kind: "ragged",
      dtype: "float32",
      values: Float32Array.of(1, 2, 3),
      nestedRowSplits: [Int32Array.of(0, 2, 3)],
      innerShape: [],
      rowSplitsDtype: "int32",
      borrowed: false,
    };
    const options = { tf: failingAt(tf, 0), minDeviceBytes: 0 };
    assertThrows(RangeError, () => raggedToDense(column, options));
    assertThrows("invalid-argument", () => raggedToDense(column, { tf, minDeviceBytes: 0, sizes: [-1] }));
    const broken = { ...column, nestedRowSplits: [Int32Array.of(0, 2, 9)] };
    assertThrows("shape-mismatch", () => raggedToDense(broken, { tf, minDeviceBytes: 0 }));
  });
}

/** Returns calls that must be rejected because an argument is invalid. */
function rejected(tf: typeof tfjs, ragged: RaggedTensor, sparse: SparseTensor): readonly (() => unknown)[] {
  return [
    () => ragged.toDense({ tf, shape: [1, 1, 1] }),
    () => ragged.toDense({ tf, defaultValue: "no number" }),
    () => ragged.slice(1, 3, { tf }),
    () => RaggedTensor.concat([], { tf }),
    () => sparse.toDense({ tf, shape: [2] }),
    () => sparse.slice(-1, 1, { tf }),
    () => SparseTensor.concat([], { tf }),
  ];
}

/** Returns a TensorFlow.js that runs out of memory when it creates the tensor with index `failing`. */
function failingAt(tf: typeof tfjs, failing: number): typeof tfjs {
  let made = 0;
  const tensor: typeof tf.tensor = (...args) => {
    if (made++ === failing) throw new RangeError("out of memory");
    return tf.tensor(...args);
  };
  return { ...tf, tensor };
}

/** Throws unless `run` throws an error with the given code or of the given class. */
function assertThrows(what: TfxioErrorCode | ErrorConstructor, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    const isRight = typeof what === "string" ? isTfxioError(error, what) : error instanceof what;
    if (isRight) return;
    throw error;
  }
  throw new Error(`expected ${typeof what === "string" ? what : what.name} to be thrown`);
}

/** Throws if `run` changes the number of tensors or buffers, or the bytes in GPU memory. */
async function leavingNothing(tf: typeof tfjs, run: () => unknown): Promise<void> {
  const memory = (): unknown => {
    const { numTensors, numDataBuffers } = tf.memory();
    // Of the backends that are checked, only WebGPU has this member.
    const { numBytesInGPU } = tf.memory() as { readonly numBytesInGPU?: number };
    return { numTensors, numDataBuffers, numBytesInGPU };
  };
  const before = memory();
  await run();
  assertSame(before, memory());
}
