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
 * The adapter that the caller's factory makes.
 * @throws {ArgumentError} `invalid-argument` for anything that is no adapter, such as the promise of one.
 */
export function ownAdapter<Columns extends HostColumns>(
  factory: AdapterFactory<Columns>,
  config: TensorAdapterConfig,
): TensorAdapter<Columns> {
  const adapter: TensorAdapter<Columns> | null | undefined = factory(config);
  const missing = METHODS.find((method) => typeof adapter?.[method] !== "function");
  if (adapter !== null && adapter !== undefined && missing === undefined) return adapter;
  const problem = `must return a TensorAdapter, found ${describeValue(adapter)}, which has no ${missing}`;
  throw unusableArgument("adapter", problem);
}
