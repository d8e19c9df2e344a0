import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import type * as tfjs from "@tensorflow/tfjs-core";
import type { HostColumn } from "../host-column.js";
import type { TensorArray } from "../narrowing.js";
import { type GpuDevice, type KernelRun, runKernel } from "./gpu-device.js";

/** The part of TensorFlow.js that is used here. */
export type DeviceTensorFactory = Pick<typeof tfjs, "backend" | "getBackend" | "tensor">;

/** Options of everything that may run on the device. */
export interface OnDeviceOptions {
  /** The TensorFlow.js whose backend is set. On any other backend than "webgpu" the host does the work. */
  readonly tf: DeviceTensorFactory;
  /**
   * Size of the result in bytes from which on the device does the work; 0 means always, `Infinity` never.
   * Default 4 MiB: below it, uploading buffers and starting a kernel is expected to cost more than padding on the host.
   * An estimate, not measured on a GPU yet: measure yours.
   */
  readonly minDeviceBytes?: number | undefined;
}

const MIN_DEVICE_BYTES = 4 * 2 ** 20;

/**
 * A tensor of 32-bit elements, made by the kernel where that pays, else of what `onHost` gives. The kernel's buffer is
 * copied by TensorFlow.js on the device and freed at once, so the tensor is one like any other: `dispose` and `tidy` free
 * it. Sharing the buffer (`zeroCopy`) would spare that copy, and free the memory only when JavaScript collects garbage.
 */
export function deviceTensor(
  { tf, minDeviceBytes = MIN_DEVICE_BYTES }: OnDeviceOptions,
  shape: readonly number[],
  dtype: "int32" | "float32",
  kernel: () => Omit<KernelRun, "numWords">,
  onHost: () => TensorArray,
): tfjs.Tensor {
  if (!(minDeviceBytes >= 0)) {
    throw new ArgumentError("invalid-argument", `minDeviceBytes is ${minDeviceBytes}, expected 0 or more.`, {
      argument: "minDeviceBytes",
    });
  }
  const numWords = shape.reduce((product, size) => product * size, 1);
  if (tf.getBackend() !== "webgpu" || numWords === 0 || numWords * 4 < minDeviceBytes) {
    return tf.tensor(onHost(), [...shape], dtype);
  }
  const { device } = tf.backend() as unknown as { readonly device: GpuDevice };
  return runKernel(device, { ...kernel(), numWords }, (buffer) =>
    // Typed by WebGPU's own types, which are no dependency of this package.
    tf.tensor({ buffer } as never, [...shape], dtype),
  );
}

/** Values that kernels can copy. @throws {UnsupportedError} `unsupported` (`device-dtype`) for any but int32 and float32. */
export function deviceValues({ dtype, values }: Pick<HostColumn, "dtype" | "values">): {
  readonly values: TensorArray;
  readonly dtype: "int32" | "float32";
} {
  if (dtype === "int32" || dtype === "float32") return { values: values as TensorArray, dtype };
  throw new UnsupportedError(`Kernels take int32 and float32, found ${dtype}.`, {
    reason: "device-dtype",
    feature: `${dtype} in a kernel`,
  });
}

/** The default as an element of the dtype, and its 32 bits. @throws {ArgumentError} when int32 cannot hold it. */
export function fillOf(defaultValue: number, dtype: "int32" | "float32"): { fill: number; bits: number } {
  if (dtype === "int32" && (defaultValue | 0) !== defaultValue) {
    throw new ArgumentError("invalid-argument", `defaultValue is ${defaultValue}, expected an int32.`, {
      argument: "defaultValue",
    });
  }
  const words = dtype === "int32" ? Int32Array.of(defaultValue) : Float32Array.of(defaultValue);
  return { fill: words[0] as number, bits: new Uint32Array(words.buffer)[0] as number };
}
