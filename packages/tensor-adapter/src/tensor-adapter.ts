import type { TensorRepresentation } from "@tfxio/schema";
import { ArgumentError, ConversionError, isTfxioError, SchemaError } from "@tfxio/wire";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { denseHandler } from "./dense-handler.js";
import type { HostColumn } from "./host-column.js";
import { raggedHandler } from "./ragged-handler.js";
import { sparseHandler } from "./sparse-handler.js";
import { noHandler, type TensorHandler } from "./tensor-handler.js";
import type { Float64Policy, Int64Policy } from "./narrowing.js";
import { type AnyTensor, type TensorFactory, toTensor } from "./to-tensor.js";
import type { TypeSpec } from "./type-spec.js";
import { varLenSparseHandler } from "./varlen-sparse-handler.js";

/** What a {@link TensorAdapter} is made of. */
export interface TensorAdapterConfig {
  /** Schema of every batch. */
  readonly arrowSchema: ArrowSchema;
  /** Tensor name to representation. Several tensors may be made of one column. */
  readonly tensorRepresentations: ReadonlyMap<string, TensorRepresentation>;
  /** Specs before a projection: they have to contain every spec of this adapter, equal. Default: its own specs. */
  readonly originalTypeSpecs?: ReadonlyMap<string, TypeSpec> | undefined;
}

/** One policy for all tensors, or one for each by name; a tensor that is not named gets the default. */
export type PerTensor<Policy> = Policy | Readonly<Record<string, Policy>>;

/** Options of {@link TensorAdapter.toTensors}. */
export interface ToTensorsOptions {
  /** The TensorFlow.js whose backend is set; this package imports none. */
  readonly tf: TensorFactory;
  /** Which tensors to make, in this order. Default all. */
  readonly names?: readonly string[] | undefined;
  /** For int64, uint64 and uint32. Default `"int32"`, checked. */
  readonly int64?: PerTensor<Int64Policy> | undefined;
  /** For float64. Default `"float32"`: exact or an error. */
  readonly float64?: PerTensor<Float64Policy> | undefined;
}

/** Options that leave nothing on the host. */
export interface AllTensorsOptions extends ToTensorsOptions {
  readonly int64?: PerTensor<Exclude<Int64Policy, "host">> | undefined;
  readonly float64?: PerTensor<Exclude<Float64Policy, "host">> | undefined;
}

/**
 * Turns record batches of one schema into tensors. Stateless between batches, so one adapter serves many readers.
 * @see tfx_bsl.tfxio.tensor_adapter.TensorAdapter; RFC 162, "TensorAdapter"
 */
export class TensorAdapter {
  readonly #arrowSchema: ArrowSchema;
  readonly #handlers: ReadonlyMap<string, TensorHandler>;
  readonly #typeSpecs: ReadonlyMap<string, TypeSpec>;
  readonly #originalTypeSpecs: ReadonlyMap<string, TypeSpec>;
  #checkedSchema: ArrowSchema;

  /**
   * @throws {ConversionError} `not-convertible` (`no-handler`) when a representation does not fit the schema.
   * @throws {SchemaError} `schema-invalid` (`bad-default`) when a default value does not fit its column.
   * @throws {ArgumentError} `invalid-argument` (`bad-original-specs`) when `originalTypeSpecs` lack or alter a spec.
   */
  constructor({ arrowSchema, tensorRepresentations, originalTypeSpecs }: TensorAdapterConfig) {
    this.#arrowSchema = arrowSchema;
    this.#checkedSchema = arrowSchema;
    this.#handlers = new Map(
      Array.from(tensorRepresentations, ([name, representation]) => [
        name,
        named(name, "Unable to handle tensor", () => createHandler(representation, arrowSchema)),
      ]),
    );
    this.#typeSpecs = new Map(Array.from(this.#handlers, ([name, { typeSpec }]) => [name, typeSpec]));
    this.#originalTypeSpecs = originalTypeSpecs ?? this.#typeSpecs;
    for (const [name, spec] of this.#typeSpecs) {
      const original = this.#originalTypeSpecs.get(name);
      if (original === undefined || !original.equals(spec)) {
        throw new ArgumentError(
          "invalid-argument",
          `originalTypeSpecs must be a superset: "${name}" is ${spec}, there it is ${original ?? "missing"}.`,
          { reason: "bad-original-specs", argument: "originalTypeSpecs" },
        );
      }
    }
  }

  /** Spec of every tensor, in the order of the representations. The batch dimension is unknown. */
  typeSpecs(): ReadonlyMap<string, TypeSpec> {
    return this.#typeSpecs;
  }

  /** Specs before a projection, as they were given; otherwise {@link typeSpecs}. */
  originalTypeSpecs(): ReadonlyMap<string, TypeSpec> {
    return this.#originalTypeSpecs;
  }

  /**
   * Tensors of a batch as typed arrays: views of the batch where nothing has to move, int64 exact.
   * @param names which tensors, in this order. Default all.
   * @throws {SchemaError} `schema-mismatch` (`batch-schema`) when the batch has another schema.
   * @throws {ConversionError} naming tensor, column and row: `shape-mismatch` (`row-shape`), `not-convertible`
   * (`null-value`, `malformed-column`), `out-of-range` (`sparse-index`, `batch-too-large`).
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`).
   */
  toHost(
    batch: RecordBatch,
    names: readonly string[] = [...this.#handlers.keys()],
  ): Record<string, HostColumn> {
    const handlers = names.map((name) => [name, this.#handler(name)] as const);
    this.#assertSchema(batch.schema);
    return Object.fromEntries(
      handlers.map(([name, handler]) => [
        name,
        named(name, "Cannot make tensor", () => handler.toHost(batch)),
      ]),
    );
  }

  /**
   * Tensors of a batch on TensorFlow.js's current backend. The caller disposes them; an error leaves none behind.
   * On the cpu backend tensors may share memory with the batch: do not write to what `dataSync` gives.
   * @throws as {@link toHost} and {@link toTensor}; {@link ArgumentError} `invalid-argument` (`unknown-tensor`) also for
   * policies of tensors that there are not.
   */
  toTensors(batch: RecordBatch, options: AllTensorsOptions): Record<string, AnyTensor>;
  /** With a policy of `"host"`, columns that it is about stay host columns. */
  toTensors(batch: RecordBatch, options: ToTensorsOptions): Record<string, AnyTensor | HostColumn>;
  toTensors(batch: RecordBatch, options: ToTensorsOptions): Record<string, AnyTensor | HostColumn> {
    const { tf, names, int64, float64 } = options;
    for (const policy of [int64, float64]) {
      if (typeof policy === "object") for (const name of Object.keys(policy)) this.#handler(name);
    }
    const made: [string, AnyTensor | HostColumn][] = [];
    try {
      for (const [tensorName, column] of Object.entries(this.toHost(batch, names))) {
        const policies = { int64: policyFor(int64, tensorName), float64: policyFor(float64, tensorName) };
        made.push([tensorName, toTensor(column, { tf, tensorName, ...policies })]);
      }
      return Object.fromEntries(made);
    } catch (error) {
      for (const [, tensor] of made) if ("dispose" in tensor) tensor.dispose();
      throw error;
    }
  }

  #handler(name: string): TensorHandler {
    const handler = this.#handlers.get(name);
    if (handler !== undefined) return handler;
    throw new ArgumentError(
      "invalid-argument",
      `There is no tensor "${name}"; there are ${[...this.#handlers.keys()].join(", ")}.`,
      { reason: "unknown-tensor", argument: "names" },
    );
  }

  #assertSchema(schema: ArrowSchema): void {
    if (schema === this.#checkedSchema) return;
    const expected = describe(this.#arrowSchema);
    const actual = describe(schema);
    const differs = Math.max(expected.length, actual.length);
    for (let index = 0; index < differs; index++) {
      if (expected[index] === actual[index]) continue;
      throw new SchemaError(
        "schema-mismatch",
        `Expected the schema of the adapter: column ${index} is ${actual[index] ?? "missing"} in the batch, ${expected[index] ?? "missing"} in the adapter.`,
        { reason: "batch-schema", expected: expected[index], actual: actual[index] },
      );
    }
    this.#checkedSchema = schema;
  }
}

function policyFor<Policy extends string>(
  policy: PerTensor<Policy> | undefined,
  tensorName: string,
): Policy | undefined {
  if (typeof policy !== "object") return policy;
  return Object.hasOwn(policy, tensorName) ? policy[tensorName] : undefined;
}

/** Names and types; whether a field may be null, ids of dictionaries and metadata change nothing here. */
function describe(schema: ArrowSchema): string[] {
  return schema.fields.map(({ name, type }) => `"${name}": ${type}`);
}

function createHandler({ kind }: TensorRepresentation, schema: ArrowSchema): TensorHandler {
  switch (kind.case) {
    case "denseTensor":
      return denseHandler(kind.value, schema);
    case "varlenSparseTensor":
      return varLenSparseHandler(kind.value, schema);
    case "sparseTensor":
      return sparseHandler(kind.value, schema);
    case "raggedTensor":
      return raggedHandler(kind.value, schema);
    case undefined:
      throw noHandler("Its representation has no kind.");
  }
}

/** Runs `make` and adds the tensor's name to what it throws. */
function named<Result>(tensorName: string, failing: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    const message = `${failing} "${tensorName}": ${error.message.replace(/^\[[a-z-]+\] /, "")}`;
    if (isTfxioError(error, "schema-invalid", "schema-mismatch")) {
      const { code, reason, columnPath, expected, actual } = error;
      throw new SchemaError(code, message, { reason, columnPath, expected, actual, cause: error });
    }
    if (isTfxioError(error, "not-convertible", "out-of-range", "shape-mismatch")) {
      const { code, reason, columnPath, row } = error;
      throw new ConversionError(code, message, { reason, tensorName, columnPath, row, cause: error });
    }
    throw error;
  }
}
