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

/** Config of a `TensorAdapter`. */
export interface TensorAdapterConfig extends RowPolicies {
  /** Schema of every batch. */
  readonly arrowSchema: ArrowSchema;
  /** Representation of each tensor, by name. Several tensors may share a column. */
  readonly tensorRepresentations: ReadonlyMap<string, TensorRepresentation>;
  /** Custom handlers, by tensor name. A handler replaces the representation of the same name. */
  readonly handlers?: ReadonlyMap<string, TensorHandler> | undefined;
  /** Specs of all tensors before a projection. Must contain every spec of this adapter, unchanged. Default: the adapter's own. */
  readonly originalTypeSpecs?: ReadonlyMap<string, TypeSpec> | undefined;
}

/** Options of `TensorAdapter.toTensors`. */
export interface ToTensorsOptions<Name extends string = string> {
  /** The application's TensorFlow.js, with its backend set. Conversion uses this module and never imports TensorFlow.js. */
  readonly tf: TensorFactory;
  /** Names of the tensors to create, in this order. Default: all. */
  readonly names?: readonly Name[] | undefined;
  /** Policy for int64, uint64 and uint32 values. Default `"int32"`, which rejects values outside int32. */
  readonly int64?: PerTensor<Int64Policy> | undefined;
  /** Policy for float64 values. Default `"float32"`, which rejects values that float32 cannot hold exactly. */
  readonly float64?: PerTensor<Float64Policy> | undefined;
  /**
   * Minimum size, in bytes, of tensors that are built on the device from packed values and row splits. Smaller tensors are built
   * on the host, with the same result. Only for WebGPU, with a `tf` from `withDeviceLayouts` or `loadBackend`. Applies to dense
   * tensors with padded or truncated rows, and to the indices of variable-length sparse tensors. For the default, see
   * `OnDeviceOptions` of @tfxio/tensor-adapter/webgpu.
   */
  readonly minDeviceBytes?: number | undefined;
}

/** Options without the policy `"host"`, so that every column becomes a tensor. */
export interface AllTensorsOptions<Name extends string = string> extends ToTensorsOptions<Name> {
  readonly int64?: PerTensor<Exclude<Int64Policy, "host">> | undefined;
  readonly float64?: PerTensor<Exclude<Float64Policy, "host">> | undefined;
}

/** Tensors made from host columns, by name. */
export type TensorsOf<Columns extends HostColumns> = { [Name in keyof Columns]: TensorOf<Columns[Name]> };

/** Rules for the config of a `TensorAdapter`. */
export const CONFIG_RULES: OptionRules<TensorAdapterConfig> = {
  arrowSchema: required(anArrowSchema),
  tensorRepresentations: required(aMap),
  handlers: aMap,
  originalTypeSpecs: aMap,
  onEmpty: aPolicy,
  onShort: aPolicy,
  onLong: aPolicy,
};
