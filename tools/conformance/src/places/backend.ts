import type * as tfjs from "@tensorflow/tfjs-core";
import { type AnyTensor, type HostColumn, toTensor } from "@tfxio/tensor-adapter";
import { isTfxioError } from "@tfxio/wire";
import { expectedOnDevice, fitsDevice, readFromDevice } from "../values/device-tensor.js";
import { hostColumnOf } from "../values/tensor.js";
import { assertOfSpec, type Place } from "./place.js";

/** Result for a tensor with a value that TensorFlow.js cannot represent. */
const outOfRange = "out-of-range";

/**
 * Creates tensors on the current TensorFlow.js backend, with the default policies: wide integers become int32, and float64
 * becomes float32. If a value would change, the tensor must be rejected. On WebGPU, our kernels lay out every tensor that they
 * support.
 */
export function backend(tf: typeof tfjs): Place {
  return {
    read: (adapter, batch) =>
      leavingNothing(tf, async () => {
        const found: Record<string, unknown> = {};
        for (const name of adapter.typeSpecs().keys()) {
          const options = { tf, names: [name], minDeviceBytes: 0 };
          const make = (): AnyTensor => adapter.toTensors(batch, options)[name] as AnyTensor;
          const tensor = orOutOfRange(name, make);
          if (tensor === outOfRange) {
            found[name] = outOfRange;
            continue;
          }
          try {
            assertOfSpec(adapter, name, tensor);
            found[name] = await readFromDevice(tensor);
          } finally {
            tensor.dispose();
          }
        }
        return found;
      }),
    expected: (tensor) => (fitsDevice(tensor) ? expectedOnDevice(tensor) : outOfRange),
    convert: (converter, specs, tensors) =>
      leavingNothing(tf, async () => {
        const made: Record<string, AnyTensor | HostColumn> = {};
        try {
          for (const [name, tensor] of Object.entries(tensors)) {
            const column = hostColumnOf(tensor);
            // The column stays on the host if TensorFlow.js cannot represent its values, or if its dtype differs from its spec.
            const isOnDevice = fitsDevice(tensor) && specs.get(name)?.dtype === column.dtype;
            made[name] = isOnDevice ? toTensor(column, { tf }) : column;
          }
          return await converter.convertTensors(made);
        } finally {
          for (const each of Object.values(made)) if (!("kind" in each)) each.dispose();
        }
      }),
  };
}

/** Returns the result of `make`, or {@link outOfRange} if `make` throws `out-of-range` for this tensor. */
function orOutOfRange<Result>(tensorName: string, make: () => Result): Result | typeof outOfRange {
  try {
    return make();
  } catch (error) {
    if (isTfxioError(error, "out-of-range") && error.tensorName === tensorName) return outOfRange;
    throw error;
  }
}

/** Runs `use`, and throws if it changed the number of live tensors or buffers. This check also runs if `use` rejects. */
async function leavingNothing<Result>(tf: typeof tfjs, use: () => Promise<Result>): Promise<Result> {
  const before = tf.memory();
  const [settled] = await Promise.allSettled([use()]);
  const { numTensors, numDataBuffers } = tf.memory();
  const tensors = numTensors - before.numTensors;
  const buffers = numDataBuffers - before.numDataBuffers;
  if (tensors !== 0 || buffers !== 0) {
    throw new TypeError(
      `the numbers of tensors and buffers must not change, but they changed by ${tensors} and ${buffers}`,
    );
  }
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
