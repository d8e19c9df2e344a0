import { UnsupportedError } from "@tfxio/wire";
import type { Tensor } from "../tensors/tensorflow.js";
import { type HostColumn, numberArrays } from "../host/host-column.js";
import type { TensorArray } from "../host/narrowing.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { TensorFactory } from "../tensors/tensor-factory.js";
import { deviceOf, type GpuDevice, type Kernel, runKernel } from "./gpu-device.js";
import { assertArgument, assertOptional, invalidArgument, isTagged, rule } from "@tfxio/wire/checks";
import { aByteThreshold } from "../argument-rules.js";

/** Options of functions that may run on the device. */
export interface OnDeviceOptions {
  /** The application's TensorFlow.js, with its backend set. On any backend except "webgpu", tensors are built on the host. */
  readonly tf: TensorFactory;
  /**
   * Minimum size, in bytes, of results that are built on the device. 0 means always, `Infinity` never. Results whose buffers the
   * device cannot bind are always built on the host. Default on software devices: `Infinity`, because the one that we measured,
   * SwiftShader, was slower than the host at every size. Default elsewhere: 4 MiB, an estimate of the size from which it pays to
   * upload the data and start a kernel. It has not been measured on a GPU yet; `pnpm bench webgpu` measures it on your device.
   */
  readonly minDeviceBytes?: number | undefined;
}

const MIN_DEVICE_BYTES = 4 * 2 ** 20;

/**
 * Returns a tensor of 32-bit elements built by a kernel; undefined if the host should build it. TensorFlow.js copies the kernel's
 * buffer on the device, and the original is freed at once, so `dispose` and `tidy` work as for any tensor. Sharing the buffer
 * (`zeroCopy`) would save that copy, but would free the memory only on garbage collection.
 * @param kernel function that prepares and returns the kernel; returns undefined if the device cannot build this tensor.
 * @throws {ArgumentError} `invalid-argument` for an invalid threshold.
 */
export function deviceTensor(
  { tf, minDeviceBytes }: OnDeviceOptions,
  shape: readonly number[],
  dtype: "int32" | "float32",
  kernel: () => Kernel | undefined,
): Tensor | undefined {
  assertOptional("minDeviceBytes", minDeviceBytes, aByteThreshold);
  const device = deviceOf(tf);
  const numWords = sizeOf(shape);
  if (device === undefined || numWords === 0) return undefined;
  if (numWords * 4 < (minDeviceBytes ?? defaultMinBytes(device))) return undefined;
  const run = kernel();
  // The buffer has WebGPU's own type, which this package does not depend on.
  return (
    run && runKernel(device, run, numWords, (buffer) => tf.tensor({ buffer } as never, [...shape], dtype))
  );
}

function defaultMinBytes({ adapterInfo }: GpuDevice): number {
  return adapterInfo?.isFallbackAdapter ? Number.POSITIVE_INFINITY : MIN_DEVICE_BYTES;
}

/**
 * Checks that kernels can copy the values of a column, and returns them.
 * @throws {UnsupportedError} `unsupported` (`device-dtype`) for any dtype except int32 and float32.
 * @throws {ArgumentError} `invalid-argument` for an array whose type does not match the dtype.
 */
export function deviceValues({ dtype, values }: Pick<HostColumn, "dtype" | "values">): {
  readonly values: TensorArray;
  readonly dtype: "int32" | "float32";
} {
  if (dtype !== "int32" && dtype !== "float32") {
    throw new UnsupportedError(`Kernels take only int32 and float32 values, found ${dtype}.`, {
      reason: "device-dtype",
      feature: `${dtype} in a kernel`,
    });
  }
  const { name } = numberArrays[dtype];
  assertArgument("values", values, rule(`of type ${name}`, isTagged(name)));
  return { values: values as TensorArray, dtype };
}

/** Returns the default as an array of one element. @throws {ArgumentError} `invalid-argument` if the dtype cannot hold it. */
export function fillOf(defaultValue: number, dtype: "int32" | "float32"): TensorArray {
  if (typeof defaultValue !== "number" || (dtype === "int32" && (defaultValue | 0) !== defaultValue)) {
    throw invalidArgument("defaultValue", `a number of dtype ${dtype}`, defaultValue);
  }
  return dtype === "int32" ? Int32Array.of(defaultValue) : Float32Array.of(defaultValue);
}
