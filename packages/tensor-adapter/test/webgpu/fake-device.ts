import * as tf from "@tensorflow/tfjs-core";
import type { TensorFactory } from "../../src/index.js";
import { withDeviceLayouts } from "../../src/webgpu/index.js";

/** The inputs of a kernel, and the size of its result. */
export interface FakeRun {
  readonly params: number[];
  readonly positions: number[];
  /** 32-bit words; undefined for a kernel without values. */
  readonly values: number[] | undefined;
  readonly numResultBytes: number;
}

interface FakeBuffer {
  readonly size: number;
  readonly words: ArrayBuffer;
}

/** A fake TensorFlow.js with device layouts and a WebGPU backend. Its kernels record their inputs, and return zeros. */
export interface FakeWebGpu {
  readonly tf: TensorFactory;
  /** The same fake without device layouts. */
  readonly bare: TensorFactory;
  readonly runs: FakeRun[];
  /** Returns the number of buffers that have not been freed. */
  readonly numBuffers: () => number;
}

/** Creates the fake. @param failIn Name of the device method or step that throws. */
export function fakeWebGpu({
  isFallbackAdapter,
  maxBytes = 2 ** 30,
  failIn,
}: {
  readonly isFallbackAdapter?: boolean;
  readonly maxBytes?: number;
  readonly failIn?: string;
} = {}): FakeWebGpu {
  const runs: FakeRun[] = [];
  const alive = new Set<object>();
  const mayFail = (name: string): void => {
    if (name === failIn) throw new Error(`${name} failed`);
  };
  const device = {
    limits: { maxStorageBufferBindingSize: maxBytes, maxBufferSize: maxBytes },
    ...(isFallbackAdapter !== undefined && { adapterInfo: { isFallbackAdapter } }),
    queue: { submit: () => mayFail("submit") },
    createBuffer: ({ size, mappedAtCreation }: { size: number; mappedAtCreation?: boolean }) => {
      if (!mappedAtCreation) mayFail("createBuffer");
      const words = new ArrayBuffer(size);
      const buffer = {
        size,
        words,
        getMappedRange: () => words,
        unmap: () => {},
        destroy: () => alive.delete(buffer),
      };
      alive.add(buffer);
      return buffer;
    },
    createShaderModule: () => ({}),
    createComputePipeline: () => ({ getBindGroupLayout: () => ({}) }),
    createBindGroup: ({ entries }: { entries: { resource: { buffer: FakeBuffer } }[] }) => {
      mayFail("createBindGroup");
      const [params, positions, result, values] = entries.map(({ resource }) => resource.buffer);
      const int32 = (buffer: FakeBuffer): number[] => [...new Int32Array(buffer.words)];
      runs.push({
        params: int32(params as FakeBuffer),
        positions: int32(positions as FakeBuffer),
        values: values && int32(values),
        numResultBytes: (result as FakeBuffer).size,
      });
      return {};
    },
    createCommandEncoder: () => ({
      beginComputePass: () => ({
        setPipeline: () => {},
        setBindGroup: () => {},
        dispatchWorkgroups: () => {},
        end: () => {},
      }),
      copyBufferToBuffer: (source: FakeBuffer, from: number, to: FakeBuffer, at: number, size: number) =>
        new Uint8Array(to.words).set(new Uint8Array(source.words, from, size), at),
      finish: () => ({}),
    }),
  };
  const tensor = (values: unknown, shape: number[], dtype: tf.DataType): tf.Tensor => {
    if (typeof values !== "object" || values === null || !("buffer" in values) || ArrayBuffer.isView(values))
      return tf.tensor(values as number[], shape, dtype);
    mayFail("tensor of a buffer");
    return tf.zeros(shape, dtype);
  };
  const backend = {
    device,
    uploadToGPU: () => {},
    readToGPU: (dataId: object) => {
      const { buffer, byteOffset, byteLength } = tf.engine().readSync(dataId) as Int32Array;
      const words = buffer.slice(byteOffset, byteOffset + byteLength);
      return { tensorRef: tf.tensor(0), buffer: { size: byteLength, words } };
    },
    createTensorFromGPUData: ({ buffer }: { buffer: FakeBuffer }, shape: number[], dtype: "int32") => {
      mayFail("createTensorFromGPUData");
      const ArrayType = dtype === "int32" ? Int32Array : Float32Array;
      return tf.tensor(new ArrayType(buffer.words), shape, dtype);
    },
  };
  const fake = { tensor, getBackend: () => "webgpu", backend: () => backend } as unknown as TensorFactory;
  return {
    tf: withDeviceLayouts(fake),
    bare: fake,
    runs,
    numBuffers: () => alive.size,
  };
}
