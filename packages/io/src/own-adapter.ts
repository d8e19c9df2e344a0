import type { AdapterFactory, HostColumns, TensorAdapter, TensorAdapterConfig } from "@tfxio/tensor-adapter";
import { describeValue, unusableArgument } from "@tfxio/wire/checks";

const METHODS = [
  "typeSpecs",
  "originalTypeSpecs",
  "sourceColumns",
  "project",
  "toHost",
  "toTensors",
] as const;

/**
 * Calls the caller's factory and checks its result.
 * @throws {ArgumentError} `invalid-argument` unless the factory returns an adapter. Also throws for a promise of an adapter.
 */
export function ownAdapter<Columns extends HostColumns>(
  factory: AdapterFactory<Columns>,
  config: TensorAdapterConfig,
): TensorAdapter<Columns> {
  const adapter: TensorAdapter<Columns> | null | undefined = factory(config);
  const missing = METHODS.find((method) => typeof adapter?.[method] !== "function");
  if (adapter !== null && adapter !== undefined && missing === undefined) return adapter;
  const problem = `must return a TensorAdapter, found ${describeValue(adapter)}, which has no method ${missing}`;
  throw unusableArgument("adapter", problem);
}
