import type {
  AnyTensor,
  HostColumn,
  TensorAdapter,
  TensorsToRecordBatchConverter,
  TypeSpec,
} from "@tfxio/tensor-adapter";
import type { RecordBatch } from "apache-arrow";
import type { TensorJson } from "../values/tensor.js";

/** Tensors of a test vector by name. */
export type TensorsJson = Readonly<Record<string, TensorJson>>;

/** Where the tensors of a case are while it runs: the host, or a TensorFlow.js backend. All places run the same test vectors. */
export interface Place {
  /**
   * Converts a batch to tensors at this place and reads them, in the notation of {@link expected}. Throws if a tensor does not
   * match its spec, or if a tensor leaks.
   */
  readonly read: (adapter: TensorAdapter, batch: RecordBatch) => Promise<Readonly<Record<string, unknown>>>;
  /** Returns what {@link read} must return for a tensor that a test vector expects. */
  readonly expected: (tensor: TensorJson) => unknown;
  /** Creates the tensors at this place and converts them to a batch. Throws if a tensor leaks. */
  readonly convert: (
    converter: TensorsToRecordBatchConverter,
    specs: ReadonlyMap<string, TypeSpec>,
    tensors: TensorsJson,
  ) => Promise<RecordBatch>;
}

/** @throws {TypeError} if a tensor does not match its spec in `adapter`. */
export function assertOfSpec(adapter: TensorAdapter, name: string, tensor: AnyTensor | HostColumn): void {
  const spec = adapter.typeSpecs().get(name);
  if (spec?.isCompatibleWith(tensor) !== true)
    throw new TypeError(`tensor "${name}" does not match its spec ${spec}`);
}
