import type { BytesColumn } from "@tfxio/arrow-encoding";
import { ownBytes, stringsOf } from "../host/own-strings.js";
import type { TensorFactory } from "./tensor-factory.js";
import type { Tensor } from "./tensorflow.js";

type Engine = ReturnType<NonNullable<TensorFactory["engine"]>>;

/** The data that the cpu backend stores for a tensor. The kernels of the backend read `values` directly. */
interface CpuTensorData {
  values?: unknown;
}

/**
 * Returns a string tensor that owns its bytes. TensorFlow.js works with one array per string. Creating these arrays costs more
 * than decoding the strings from records, and a model may never read them. On the cpu backend, they are therefore created when
 * the values are first read. Other backends get the arrays immediately.
 */
export function stringTensor(tf: TensorFactory, column: BytesColumn, shape: number[]): Tensor {
  const own = ownBytes(column);
  // Use the engine, because `tf.tensor` would go through all strings again to flatten them.
  const engine = tf.engine?.();
  if (engine === undefined) return tf.tensor(stringsOf(own), shape, "string");
  return deferredTensor(engine, own, shape) ?? makeTensor(engine, stringsOf(own), shape);
}

function deferredTensor(engine: Engine, own: BytesColumn, shape: number[]): Tensor | undefined {
  if (engine.backendName !== "cpu") return undefined;
  // All bytes as one string, so that TensorFlow.js counts the memory of the tensor correctly.
  const all = [own.data];
  const tensor = makeTensor(engine, all, shape);
  const { data } = engine.backend as { readonly data?: { get?(dataId: object): CpuTensorData | undefined } };
  const tensorData = data?.get?.(tensor.dataId);
  if (tensorData?.values === all) {
    deferValues(tensorData, () => stringsOf(own));
    return tensor;
  }
  // This backend version keeps its data elsewhere.
  tensor.dispose();
  return undefined;
}

function deferValues(tensorData: CpuTensorData, make: () => unknown): void {
  const hold = (values: unknown): void => {
    Object.defineProperty(tensorData, "values", {
      value: values,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  };
  Object.defineProperty(tensorData, "values", {
    get: () => {
      hold(make());
      return tensorData.values;
    },
    set: hold,
    enumerable: true,
    configurable: true,
  });
}

/** Makes a string tensor. Backends hold strings as bytes, but the declared type allows only JavaScript strings. */
function makeTensor(engine: Engine, strings: Uint8Array[], shape: number[]): Tensor {
  return engine.makeTensor(strings as unknown as string[], shape, "string");
}
