import { ConversionError } from "@tfxio/wire";
import { WORKGROUP_SIZE } from "./wgsl.js";

// The part of WebGPU that is used here, typed without a dependency.
interface GpuBuffer {
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
  readonly limits: { readonly maxStorageBufferBindingSize: number };
  readonly queue: { submit(commands: readonly unknown[]): void };
  createBuffer(descriptor: {
    readonly size: number;
    readonly usage: number;
    readonly mappedAtCreation?: boolean;
  }): GpuBuffer;
  createShaderModule(descriptor: { readonly code: string }): unknown;
  createComputePipeline(descriptor: object): GpuPipeline;
  createBindGroup(descriptor: object): unknown;
  createCommandEncoder(): { beginComputePass(): GpuPass; finish(): unknown };
}

// GPUBufferUsage, whose numbers the specification fixes.
const COPY_SRC = 0x4;
const COPY_DST = 0x8;
const STORAGE = 0x80;
const MAX_GROUPS = 65_535;

const pipelines = new WeakMap<GpuDevice, Map<string, GpuPipeline>>();

/** What {@link runKernel} runs. */
export interface KernelRun {
  readonly code: string;
  /** Read-only, as the kernels say; uploaded, and freed afterwards. */
  readonly params: readonly number[];
  readonly positions: Int32Array;
  readonly values?: Int32Array | Float32Array;
  /** How often `main` runs. */
  readonly numInvocations: number;
  /** 32-bit words of the result. */
  readonly numWords: number;
}

/**
 * Runs a kernel and hands its result, a buffer of 32-bit words, to `use`; the buffer is freed when that returns.
 * @throws {ConversionError} `out-of-range` (`device-limit`) when a buffer is larger than the device can bind.
 */
export function runKernel<Result>(
  device: GpuDevice,
  { code, params, positions, values, numInvocations, numWords }: KernelRun,
  use: (buffer: unknown) => Result,
): Result {
  const inputs = [Uint32Array.from(params), positions, ...(values === undefined ? [] : [values])];
  const limit = device.limits.maxStorageBufferBindingSize;
  const largest = 4 * Math.max(numWords, ...inputs.map(({ length }) => length));
  if (largest > limit) {
    throw new ConversionError(
      "out-of-range",
      `A buffer of ${largest} bytes is needed, the device takes ${limit}.`,
      {
        reason: "device-limit",
      },
    );
  }
  const buffers: GpuBuffer[] = [];
  try {
    for (const input of inputs) buffers.push(uploaded(device, input));
    const result = device.createBuffer({ size: 4 * numWords, usage: STORAGE | COPY_SRC | COPY_DST });
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
    // What was submitted before still sees them.
    for (const buffer of buffers) buffer.destroy();
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
