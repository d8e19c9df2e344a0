import type {
  AnyTensor,
  HostColumn,
  TensorAdapter,
  TensorsToRecordBatchConverter,
  TypeSpec,
} from "@tfxio/tensor-adapter";
import type { RecordBatch } from "apache-arrow";
import type { TensorJson } from "../values/tensor.js";

/** Tensors of a vector by name. */
export type TensorsJson = Readonly<Record<string, TensorJson>>;

/** Where tensors live while a case runs: the same vectors hold on the host and on every backend of TensorFlow.js. */
export interface Place {
  /**
   * Makes a batch's tensors there and reads them back, in the notation of {@link expected}. Every tensor must
   * match its spec, and none may be leaked, even if this throws.
   */
  readonly read: (adapter: TensorAdapter, batch: RecordBatch) => Promise<Readonly<Record<string, unknown>>>;
  /** The result that {@link read} must return if a vector expects this tensor. */
  readonly expected: (tensor: TensorJson) => unknown;
  /** Makes the tensors there and converts them to a batch; none may be left over, also when this throws. */
  readonly convert: (
    converter: TensorsToRecordBatchConverter,
    specs: ReadonlyMap<string, TypeSpec>,
    tensors: TensorsJson,
  ) => Promise<RecordBatch>;
}

/** @throws {TypeError} if a tensor does not match the spec of its adapter. */
export function assertOfSpec(adapter: TensorAdapter, name: string, tensor: AnyTensor | HostColumn): void {
  const spec = adapter.typeSpecs().get(name);
  if (spec?.isCompatibleWith(tensor) !== true) throw new TypeError(`${name} is not of spec ${spec}`);
}
