import type { TensorFlowModule } from "../tensors/tensorflow.js";
import { WORKGROUP_SIZE } from "./wgsl.js";

// These types declare the part of WebGPU that is used here, so that the package does not depend on WebGPU's type package.
/** A buffer on the device. */
export interface GpuBuffer {
  readonly size: number;
  getMappedRange(): ArrayBuffer;
  unmap(): void;
  destroy(): void;
}
interface GpuPipeline {
  getBindGroupLayout(index: number): unknown;
}
interface GpuPass {
  setPipeline(pipeline: GpuPipeline): void;
  setBindGroup(index: number, group: unknown): void;
  dispatchWorkgroups(x: number, y: number): void;
  end(): void;
}
/** A WebGPU device. */
export interface GpuDevice {
  readonly limits: { readonly maxStorageBufferBindingSize: number; readonly maxBufferSize: number };
  /** Missing in older browsers. */
  readonly adapterInfo?: { readonly isFallbackAdapter?: boolean };
  readonly queue: { submit(commands: readonly unknown[]): void };
  createBuffer(descriptor: {
    readonly size: number;
    readonly usage: number;
    readonly mappedAtCreation?: boolean;
  }): GpuBuffer;
  createShaderModule(descriptor: { readonly code: string }): unknown;
  createComputePipeline(descriptor: object): GpuPipeline;
  createBindGroup(descriptor: object): unknown;
  createCommandEncoder(): {
    beginComputePass(): GpuPass;
    copyBufferToBuffer(source: GpuBuffer, from: number, target: GpuBuffer, at: number, size: number): void;
    finish(): unknown;
  };
}

// Values of GPUBufferUsage, as fixed by the specification.
const COPY_SRC = 0x4;
const COPY_DST = 0x8;
const STORAGE = 0x80;
/** Default of WebGPU's limit `maxComputeWorkgroupsPerDimension`. */
const MAX_GROUPS = 65_535;

const pipelines = new WeakMap<GpuDevice, Map<string, GpuPipeline>>();

/**
 * Returns the WebGPU device of TensorFlow.js's current backend; undefined for other backends, and for a `tf` that does not
 * expose its backend.
 */
export function deviceOf(
  tf: Partial<Pick<TensorFlowModule, "backend" | "getBackend">>,
): GpuDevice | undefined {
  if (tf.getBackend?.() !== "webgpu") return undefined;
  return (tf.backend?.() as { readonly device?: GpuDevice } | undefined)?.device;
}

/** A kernel and its inputs. */
export interface Kernel {
  /** WGSL with an entry point `main`. */
  readonly code: string;
  /** Numbers that the kernel reads as u32. Uploaded for the call and freed afterwards, like `positions`. */
  readonly params: readonly number[];
  readonly positions: Int32Array;
  /** An array is uploaded for the call and freed afterwards. A device buffer stays with its owner. */
  readonly values?: Int32Array | Float32Array | GpuBuffer;
  /** Number of invocations of `main`. */
  readonly numInvocations: number;
}

/**
 * Runs a kernel and passes its result, a buffer of 32-bit words, to `use`. Frees the buffer when `use` returns.
 * Returns undefined, without any effect, if a buffer is larger than the device can bind.
 */
export function runKernel<Result>(
  device: GpuDevice,
  { code, params, positions, values, numInvocations }: Kernel,
  numWords: number,
  use: (buffer: unknown) => Result,
): Result | undefined {
  const inputs = [Uint32Array.from(params), positions, ...(values === undefined ? [] : [values])];
  const sizes = inputs.map((input) => (ArrayBuffer.isView(input) ? input.byteLength : input.size));
  if (Math.max(4 * numWords, ...sizes) > device.limits.maxStorageBufferBindingSize) return undefined;
  const own: GpuBuffer[] = [];
  try {
    const buffers = inputs.map((input) => {
      if (!ArrayBuffer.isView(input)) return input;
      const buffer = uploaded(device, input);
      own.push(buffer);
      return buffer;
    });
    const result = device.createBuffer({ size: 4 * numWords, usage: STORAGE | COPY_SRC | COPY_DST });
    own.push(result);
    buffers.splice(2, 0, result);
    const pipeline = pipelineOf(device, code);
    const layout = pipeline.getBindGroupLayout(0);
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
    const groups = Math.ceil(numInvocations / WORKGROUP_SIZE);
    const wide = Math.min(groups, MAX_GROUPS);
    pass.dispatchWorkgroups(wide, Math.ceil(groups / wide));
    pass.end();
    device.queue.submit([encoder.finish()]);
    return use(result);
  } finally {
    // Safe, because submitted work keeps its buffers alive.
    for (const buffer of own) buffer.destroy();
  }
}

/** Words `start` to `end` (exclusive) of a buffer. */
export interface WordRange {
  readonly buffer: GpuBuffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Copies all ranges into one buffer and passes it to `use`. Frees the buffer when `use` returns. Returns undefined, without any
 * effect, if the device does not support a buffer of that size.
 */
export function copyWords<Result>(
  device: GpuDevice,
  ranges: readonly WordRange[],
  use: (buffer: unknown) => Result,
): Result | undefined {
  const numWords = ranges.reduce((total, { start, end }) => total + end - start, 0);
  if (4 * numWords > device.limits.maxBufferSize) return undefined;
  const result = device.createBuffer({ size: 4 * numWords, usage: STORAGE | COPY_SRC | COPY_DST });
  try {
    const encoder = device.createCommandEncoder();
    let at = 0;
    for (const { buffer, start, end } of ranges) {
      encoder.copyBufferToBuffer(buffer, 4 * start, result, at, 4 * (end - start));
      at += 4 * (end - start);
    }
    device.queue.submit([encoder.finish()]);
    return use(result);
  } finally {
    result.destroy();
  }
}

function uploaded(device: GpuDevice, words: Int32Array | Uint32Array | Float32Array): GpuBuffer {
  // A storage buffer cannot be empty.
  const size = Math.max(4, words.byteLength);
  const buffer = device.createBuffer({ size, usage: STORAGE, mappedAtCreation: true });
  new Uint32Array(buffer.getMappedRange()).set(new Uint32Array(words.buffer, words.byteOffset, words.length));
  buffer.unmap();
  return buffer;
}

function pipelineOf(device: GpuDevice, code: string): GpuPipeline {
  const made = pipelines.get(device) ?? new Map<string, GpuPipeline>();
  pipelines.set(device, made);
  const existing = made.get(code);
  if (existing !== undefined) return existing;
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
  made.set(code, pipeline);
  return pipeline;
}
