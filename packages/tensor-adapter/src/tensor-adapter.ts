import type { ColumnPath, TensorRepresentation } from "@tfxio/schema";
import { ArgumentError, assertKnownKeys } from "@tfxio/wire";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { BatchSchema } from "./batch-schema.js";
import { assertMap, assertNames, assertTensorOptions, invalidArgument } from "./check-argument.js";
import { assertArrowSchema, assertBatch } from "./check-arrow.js";
import { assertHandlers, checkedHandler, isOwn, trusted } from "./checked-handler.js";
import { columnTensor } from "./column-tensor.js";
import { createHandler } from "./create-handler.js";
import { type AdapterExplanation, explainTensor } from "./explain.js";
import type { HostColumn, HostColumns } from "./host-column.js";
import { named } from "./named-errors.js";
import type { Float64Policy, Int64Policy } from "./narrowing.js";
import { isPacking, PACK } from "./packed-column.js";
import {
  assertPerTensor,
  assertRowPolicies,
  type PerTensor,
  policyFor,
  type RowPolicies,
} from "./row-policies.js";
import type { TensorHandler } from "./tensor-handler.js";
import type { TensorFactory } from "./tensor-factory.js";
import type { AnyTensor, TensorOf } from "./to-tensor.js";
import type { TypeSpec } from "./type-spec.js";
import { assertSameTypes } from "./types-on-path.js";
import { assertMinDeviceBytes } from "./webgpu/device-tensor.js";
import { deviceOf } from "./webgpu/gpu-device.js";

/** What a {@link TensorAdapter} is made of. */
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

/** Options of {@link TensorAdapter.toTensors}. */
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
   * On WebGPU: size of a tensor in bytes from which on it is laid out on the device, of packed values and row splits.
   * That is about dense tensors of which rows are filled up or cut off, and about indices of variable-length sparse ones.
   * Same tensors either way. Default and meaning as in `OnDeviceOptions` of @tfxio/tensor-adapter/webgpu.
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

type NamesOf<Columns> = keyof Columns & string;

/**
 * Turns record batches of one schema into tensors. Stateless between batches, so one adapter serves many readers.
 * `Columns` says what tensors there are, where that is known when the program is written: `typedTensors`.
 * @see tfx_bsl.tfxio.tensor_adapter.TensorAdapter; RFC 162, "TensorAdapter"
 */
export class TensorAdapter<Columns extends HostColumns = HostColumns> {
  readonly #schema: BatchSchema;
  readonly #handlers: ReadonlyMap<string, TensorHandler>;
  readonly #typeSpecs: ReadonlyMap<string, TypeSpec>;
  readonly #originalTypeSpecs: ReadonlyMap<string, TypeSpec>;

  /**
   * @throws {ConversionError} `not-convertible` (`no-handler`) when a representation does not fit the schema.
   * @throws {SchemaError} `schema-invalid` (`bad-default`) when a default value does not fit its column.
   * @throws {ArgumentError} `invalid-argument`: `bad-original-specs` when `originalTypeSpecs` lack or alter a spec;
   * `unknown-tensor`, `policy-not-dense`, `policy-needs-default` for policies of tensors that they cannot be about.
   */
  constructor(config: TensorAdapterConfig) {
    assertKnownKeys(config, CONFIG_KEYS, "TensorAdapter");
    const {
      arrowSchema,
      tensorRepresentations,
      handlers = new Map<string, TensorHandler>(),
      originalTypeSpecs,
    } = config;
    assertArrowSchema(arrowSchema);
    assertMap("tensorRepresentations", tensorRepresentations);
    assertHandlers(handlers);
    if (originalTypeSpecs !== undefined) assertMap("originalTypeSpecs", originalTypeSpecs);
    for (const option of ["onEmpty", "onShort", "onLong"] as const) assertPerTensor(option, config[option]);
    this.#schema = new BatchSchema(arrowSchema);
    const made = Array.from(tensorRepresentations, ([name, representation]) => {
      const make = (): TensorHandler => trusted(createHandler(representation, arrowSchema, config, name));
      return [name, handlers.get(name) ?? named(name, "Unable to handle tensor", make)] as const;
    });
    const own = Array.from(handlers, ([name, handler]) => [name, checkedHandler(name, handler)] as const);
    this.#handlers = new Map([...made, ...own]);
    this.#typeSpecs = new Map(Array.from(this.#handlers, ([name, { typeSpec }]) => [name, typeSpec]));
    // A handler of the caller's own takes no policies, whatever its kind.
    const kinds = Array.from(
      this.#typeSpecs,
      ([name, { kind }]) => [name, handlers.has(name) ? "own" : kind] as const,
    );
    assertRowPolicies(config, new Map(kinds));
    this.#originalTypeSpecs = new Map(originalTypeSpecs ?? this.#typeSpecs);
    for (const [name, spec] of this.#typeSpecs) {
      const original = this.#originalTypeSpecs.get(name);
      if (original?.equals?.(spec) !== true) {
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
    return new Map(this.#typeSpecs);
  }

  /** Specs before a projection, as they were given; otherwise {@link typeSpecs}. */
  originalTypeSpecs(): ReadonlyMap<string, TypeSpec> {
    return new Map(this.#originalTypeSpecs);
  }

  /** The columns that a tensor is made of. @throws {ArgumentError} `invalid-argument` (`unknown-tensor`). */
  sourceColumns(name: NamesOf<Columns>): readonly ColumnPath[] {
    return this.#handler(name).sourceColumns;
  }

  /**
   * An adapter of some of the tensors, which keeps {@link originalTypeSpecs}, for batches of which columns that these
   * tensors are not made of may be missing.
   * @param arrowSchema of the batches. Default: the same.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`).
   * @throws {ConversionError} `not-convertible` (`no-handler`) when `arrowSchema` lacks a column that a tensor is made of,
   * or has it in another type.
   * @see RFC 162, "projections"
   */
  project<Name extends NamesOf<Columns>>(
    names: readonly Name[],
    arrowSchema: ArrowSchema = this.#schema.expected,
  ): TensorAdapter<Pick<Columns, Name>> {
    if (names === undefined) throw invalidArgument("names", "a list of names", names);
    assertNames("names", names);
    assertArrowSchema(arrowSchema);
    const made = this.#schema.expected;
    for (const name of names) {
      const { sourceColumns } = this.#handler(name);
      named(name, "Unable to handle tensor", () => {
        for (const path of sourceColumns) assertSameTypes(made, arrowSchema, path);
      });
    }
    return new TensorAdapter({
      arrowSchema,
      tensorRepresentations: new Map(),
      handlers: new Map(names.map((name) => [name, this.#handler(name)])),
      originalTypeSpecs: this.#originalTypeSpecs,
    });
  }

  /**
   * Which memory each tensor lies in, and why: what is a view of the batch, what is copied, and what becomes of it on
   * TensorFlow.js. `formatAdapterExplanation` makes a table of it.
   * @param batch to look at: tells what was done with it. Default: what may be done with any batch.
   * @throws as {@link toHost}.
   */
  explain(batch?: RecordBatch): AdapterExplanation {
    const columns = batch === undefined ? undefined : (this.toHost(batch) as HostColumns);
    return {
      tensors: Array.from(this.#handlers, ([name, handler]) =>
        explainTensor(
          name,
          handler,
          this.#schema.expected,
          batch && { batch, column: columns?.[name] as HostColumn },
          isOwn(handler),
        ),
      ),
    };
  }

  /**
   * Tensors of a batch as typed arrays: views of the batch where nothing has to move, int64 exact.
   * @param names which tensors, in this order. Default all.
   * @throws {SchemaError} `schema-mismatch` (`batch-schema`) when the batch has another schema.
   * @throws {ConversionError} naming tensor, column and row: `shape-mismatch` (`row-shape`), `not-convertible`
   * (`null-value`, `malformed-column`), `out-of-range` (`sparse-index`, `batch-too-large`); of handlers of your own also
   * `shape-mismatch` (`malformed-tensor`, `type-spec`, `row-count`) for a column that is not what they promise.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`).
   */
  toHost<Name extends NamesOf<Columns> = NamesOf<Columns>>(
    batch: RecordBatch,
    names?: readonly Name[],
  ): Pick<Columns, Name> {
    return Object.fromEntries(this.#columns(batch, names, (handler) => handler.toHost(batch))) as Pick<
      Columns,
      Name
    >;
  }

  /**
   * Tensors of a batch on TensorFlow.js's current backend. The caller disposes them; an error leaves none behind.
   * Values of int32, float32, and uint32 as int32, may share memory with the batch, as TensorFlow.js keeps the arrays that
   * it is given: cpu for good, WebGPU and native TensorFlow until the tensor's first operation. Do not write to what
   * `dataSync` gives, and be done with such tensors of a leased batch before its release. All else is copied.
   * @throws as {@link toHost} and `toTensor`; {@link ArgumentError} `invalid-argument` (`unknown-tensor`) also for
   * policies of tensors that there are not.
   */
  toTensors<Name extends NamesOf<Columns> = NamesOf<Columns>>(
    batch: RecordBatch,
    options: AllTensorsOptions<Name>,
  ): TensorsOf<Pick<Columns, Name>>;
  /** With a policy of `"host"`, columns that it is about stay host columns. */
  toTensors<Name extends NamesOf<Columns> = NamesOf<Columns>>(
    batch: RecordBatch,
    options: ToTensorsOptions<Name>,
  ): { [Each in Name]: TensorOf<Columns[Each]> | Columns[Each] };
  toTensors(batch: RecordBatch, options: ToTensorsOptions<NamesOf<Columns>>): unknown {
    assertTensorOptions(options, ["names", "int64", "float64", "minDeviceBytes"], "toTensors");
    const { tf, names, int64, float64, minDeviceBytes } = options;
    assertMinDeviceBytes(minDeviceBytes);
    for (const [option, policy] of Object.entries({ int64, float64 })) {
      assertPerTensor(option, policy);
      if (typeof policy === "object") for (const name of Object.keys(policy)) this.#handler(name);
    }
    const hasDevice = deviceOf(tf) !== undefined;
    const columns = this.#columns(batch, names, (handler) =>
      hasDevice && isPacking(handler) ? handler[PACK](batch) : handler.toHost(batch),
    );
    const made: [string, AnyTensor | HostColumn][] = [];
    try {
      for (const [tensorName, column] of columns) {
        const policies = { int64: policyFor(int64, tensorName), float64: policyFor(float64, tensorName) };
        made.push([tensorName, columnTensor(column, { tf, tensorName, ...policies }, minDeviceBytes)]);
      }
      return Object.fromEntries(made);
    } catch (error) {
      for (const [, tensor] of made) if ("dispose" in tensor) tensor.dispose();
      throw error;
    }
  }

  /** What `read` gives of each tensor asked for, every error with its name. */
  #columns<Column>(
    batch: RecordBatch,
    names: readonly string[] | undefined,
    read: (handler: TensorHandler) => Column,
  ): readonly (readonly [string, Column])[] {
    assertBatch(batch);
    assertNames("names", names);
    // A name given twice is one tensor: of two, the caller would get the second only.
    const asked = new Set(names ?? this.#handlers.keys());
    const handlers = Array.from(asked, (name) => [name, this.#handler(name)] as const);
    this.#schema.assertSame(batch.schema);
    return handlers.map(([name, handler]) => [name, named(name, "Cannot make tensor", () => read(handler))]);
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
}

const CONFIG_KEYS = [
  "arrowSchema",
  "tensorRepresentations",
  "handlers",
  "originalTypeSpecs",
  "onEmpty",
  "onShort",
  "onLong",
] satisfies (keyof TensorAdapterConfig)[];
