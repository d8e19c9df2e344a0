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
 * Turns record batches of one schema into tensors. Stateless between batches, so one adapter can serve many readers. The type
 * parameter `Columns` declares the tensors, if they are known at compile time; see `typedTensors`.
 * @see tfx_bsl.tfxio.tensor_adapter.TensorAdapter; RFC 162, "TensorAdapter"
 */
export class TensorAdapter<Columns extends HostColumns = HostColumns> {
  readonly #schema: BatchSchema;
  readonly #handlers: ReadonlyMap<string, TensorHandler>;
  readonly #typeSpecs: ReadonlyMap<string, TypeSpec>;
  readonly #originalTypeSpecs: ReadonlyMap<string, TypeSpec>;

  /**
   * @throws {ConversionError} `not-convertible` (`no-handler`) if a representation does not fit the schema.
   * @throws {SchemaError} `schema-invalid` (`bad-default`) if a default value does not fit its column.
   * @throws {ArgumentError} `invalid-argument`, with reason `bad-original-specs` if `originalTypeSpecs` lacks or alters a
   * spec, and `unknown-tensor`, `policy-not-dense` or `policy-needs-default` for a policy that does not apply to its tensor.
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
          `originalTypeSpecs must include every spec of the adapter: expected ${spec} for "${name}", found ${original ?? "none"}.`,
          { reason: "bad-original-specs", argument: "originalTypeSpecs" },
        );
      }
    }
  }

  /**
   * Returns the spec of every tensor, by name: first the tensors in `tensorRepresentations`, even if a handler replaces them,
   * then those that only `handlers` has. The batch dimension is null.
   */
  typeSpecs(): ReadonlyMap<string, TypeSpec> {
    return new Map(this.#typeSpecs);
  }

  /** Returns the specs of all tensors before a projection, as given to the constructor. Default: those of {@link typeSpecs}. */
  originalTypeSpecs(): ReadonlyMap<string, TypeSpec> {
    return new Map(this.#originalTypeSpecs);
  }

  /** Returns the source columns of a tensor. @throws {ArgumentError} `invalid-argument` (`unknown-tensor`). */
  sourceColumns(name: NamesOf<Columns>): readonly ColumnPath[] {
    return this.#handler(name).sourceColumns;
  }

  /**
   * Returns an adapter for some of the tensors, with the same {@link originalTypeSpecs}.
   * @param arrowSchema schema of the projected batches. It may omit columns that none of these tensors reads. Default: the schema
   * of this adapter.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`).
   * @throws {ConversionError} `not-convertible` (`no-handler`) if `arrowSchema` lacks a source column or changes its type.
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
   * Explains the memory of each tensor: which arrays are views of the batch, which are copies and why, and how TensorFlow.js
   * receives them. `formatAdapterExplanation` formats the result as a table.
   * @param batch the batch to explain. Without it, the result describes batches in general.
   * @throws The errors of {@link toHost}.
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
   * Returns the tensors of a batch as typed arrays. They are views of the batch where possible: do not write to the arrays of a
   * host column whose `borrowed` is true. 64-bit integers stay exact, in a BigInt64Array or BigUint64Array.
   * @param names tensors to create, in this order. Default: all.
   * @throws {SchemaError} `schema-mismatch` (`batch-schema`) if the schema of the batch differs from the adapter's.
   * @throws {ConversionError} naming the tensor and, where known, column and row: `shape-mismatch` (`row-shape`),
   * `not-convertible` (`null-value`, `malformed-column`), `out-of-range` (`sparse-index`, `batch-too-large`); from custom
   * handlers also `shape-mismatch` (`malformed-tensor`, `type-spec`, `row-count`) for an invalid result.
   * @throws {UserFunctionError} `user-function`, naming the tensor, if a custom handler throws any error except a schema or
   * conversion error.
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
   * Returns the tensors of a batch on TensorFlow.js's current backend. The caller disposes them; a failed call leaks none.
   * Tensors of int32, float32, uint32 and bool values may share memory with the batch, because TensorFlow.js keeps the arrays
   * that it receives. The cpu backend shares the memory for the life of the tensor; WebGPU and native TensorFlow share it until
   * the tensor's first operation. Do not write to the result of `dataSync`. If the memory of the batch is leased, finish with
   * such tensors before you release it. Tensors made from any other type are copies.
   * @throws The errors of {@link toHost} and `toTensor`.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`), also for policies of unknown tensors.
   */
  toTensors<Name extends NamesOf<Columns> = NamesOf<Columns>>(
    batch: RecordBatch,
    options: AllTensorsOptions<Name>,
  ): TensorsOf<Pick<Columns, Name>>;
  /** Columns with the policy `"host"` stay host columns. */
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

  /** Calls `read` for the handler of each requested tensor. Adds the tensor's name to schema and conversion errors. */
  #columns<Column>(
    batch: RecordBatch,
    names: readonly string[] | undefined,
    read: (handler: TensorHandler) => Column,
  ): readonly (readonly [string, Column])[] {
    assertArgument("batch", batch, aRecordBatch);
    assertOptional("names", names, aListOfNames);
    // Treat a repeated name as one tensor. If two were created, the caller would see, and dispose, only the second.
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
      `Unknown tensor "${name}"; the adapter has ${[...this.#handlers.keys()].join(", ") || "none"}.`,
      { reason: "unknown-tensor", argument: "names" },
    );
  }
}
