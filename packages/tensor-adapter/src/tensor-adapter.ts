import type { ColumnPath } from "@tfxio/schema";
import { ArgumentError } from "@tfxio/wire";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { adapterHandlers } from "./handlers/adapter-handlers.js";
import {
  type AllTensorsOptions,
  CONFIG_RULES,
  type TensorAdapterConfig,
  type TensorsOf,
  type ToTensorsOptions,
} from "./adapter-options.js";
import { BatchSchema } from "./batch-schema.js";
import { isOwn } from "./handlers/checked-handler.js";
import { columnTensor } from "./tensors/column-tensor.js";
import { packedLayoutOf } from "./tensors/packed-layout.js";
import { type AdapterExplanation, buffersOf, explainTensor } from "./explain/explain.js";
import type { HostColumn, HostColumns } from "./host/host-column.js";
import { named } from "./named-errors.js";
import { isPacking, PACK } from "./handlers/packed-column.js";
import { policyFor } from "./rows/row-policies.js";
import type { TensorHandler } from "./handlers/tensor-handler.js";
import type { AnyTensor, TensorOf } from "./tensors/to-tensor.js";
import type { TypeSpec } from "./type-spec.js";
import { assertSameTypes } from "./handlers/types-on-path.js";
import { aListOfNames, assertArgument, assertOptional, assertOptions } from "@tfxio/wire/checks";
import { anArrowSchema, aRecordBatch, aTensorFactory, aPolicy, aByteThreshold } from "./argument-rules.js";

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
    assertOptions("TensorAdapter", config, CONFIG_RULES);
    const { arrowSchema, originalTypeSpecs } = config;
    this.#schema = new BatchSchema(arrowSchema);
    this.#handlers = adapterHandlers(config);
    this.#typeSpecs = new Map(Array.from(this.#handlers, ([name, { typeSpec }]) => [name, typeSpec]));
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
    assertArgument("names", names, aListOfNames);
    assertArgument("arrowSchema", arrowSchema, anArrowSchema);
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
    const buffers = batch && buffersOf(batch);
    return {
      tensors: Array.from(this.#handlers, ([name, handler]) =>
        explainTensor(
          name,
          handler,
          this.#schema.expected,
          batch && buffers && { batch, buffers, column: columns?.[name] as HostColumn },
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
    assertOptions("toTensors", options, {
      tf: aTensorFactory,
      names: aListOfNames,
      int64: aPolicy,
      float64: aPolicy,
      minDeviceBytes: aByteThreshold,
    });
    const { tf, names, int64, float64, minDeviceBytes } = options;
    for (const policy of [int64, float64]) {
      if (typeof policy === "object") for (const name of Object.keys(policy)) this.#handler(name);
    }
    const hasDevice = packedLayoutOf(tf) !== undefined;
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
    assertArgument("batch", batch, aRecordBatch);
    assertOptional("names", names, aListOfNames);
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
