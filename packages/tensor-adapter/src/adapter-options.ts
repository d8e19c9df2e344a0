import type { TensorRepresentation } from "@tfxio/schema";
import type { Schema as ArrowSchema } from "apache-arrow";
import type { HostColumns } from "./host/host-column.js";
import type { Float64Policy, Int64Policy } from "./host/narrowing.js";
import type { PerTensor, RowPolicies } from "./rows/row-policies.js";
import type { TensorFactory } from "./tensors/tensor-factory.js";
import type { TensorHandler } from "./handlers/tensor-handler.js";
import type { TensorOf } from "./tensors/to-tensor.js";
import type { TypeSpec } from "./type-spec.js";
import { required, type OptionRules } from "@tfxio/wire/checks";
import { anArrowSchema, aMap, aPolicy } from "./argument-rules.js";

/** What a `TensorAdapter` is made of. */
export interface TensorAdapterConfig extends RowPolicies {
  /** Schema of every batch. */
  readonly arrowSchema: ArrowSchema;
  /** Tensor name to representation. Several tensors may be made of one column. */
  readonly tensorRepresentations: ReadonlyMap<string, TensorRepresentation>;
  /** Tensors that no representation describes, by name; in place of the representation of the same name. */
  readonly handlers?: ReadonlyMap<string, TensorHandler> | undefined;
  /** Specs before a projection: they have to contain every spec of this adapter, equal. Default: its own specs. */
  readonly originalTypeSpecs?: ReadonlyMap<string, TypeSpec> | undefined;
}

/** Options of `TensorAdapter.toTensors`. */
export interface ToTensorsOptions<Name extends string = string> {
  /** The TensorFlow.js whose backend is set; this package imports none. */
  readonly tf: TensorFactory;
  /** Which tensors to make, in this order. Default all. */
  readonly names?: readonly Name[] | undefined;
  /** For int64, uint64 and uint32. Default `"int32"`, checked. */
  readonly int64?: PerTensor<Int64Policy> | undefined;
  /** For float64. Default `"float32"`: exact or an error. */
  readonly float64?: PerTensor<Float64Policy> | undefined;
  /**
   * On WebGPU, with a `tf` of `withDeviceLayouts` or `loadBackend`: size of a tensor in bytes from which on it is laid out
   * on the device, of packed values and row splits. That is about dense tensors of which rows are filled up or cut off, and
   * about indices of variable-length sparse ones. Same tensors either way. Default and meaning as in `OnDeviceOptions` of
   * @tfxio/tensor-adapter/webgpu.
   */
  readonly minDeviceBytes?: number | undefined;
}

/** Options that leave nothing on the host. */
export interface AllTensorsOptions<Name extends string = string> extends ToTensorsOptions<Name> {
  readonly int64?: PerTensor<Exclude<Int64Policy, "host">> | undefined;
  readonly float64?: PerTensor<Exclude<Float64Policy, "host">> | undefined;
}

/** The tensors that host columns become, by name. */
export type TensorsOf<Columns extends HostColumns> = { [Name in keyof Columns]: TensorOf<Columns[Name]> };

/** What the options of an adapter must be. */
export const CONFIG_RULES: OptionRules<TensorAdapterConfig> = {
  arrowSchema: required(anArrowSchema),
  tensorRepresentations: required(aMap),
  handlers: aMap,
  originalTypeSpecs: aMap,
  onEmpty: aPolicy,
  onShort: aPolicy,
  onLong: aPolicy,
};
