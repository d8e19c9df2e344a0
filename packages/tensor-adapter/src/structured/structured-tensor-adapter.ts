import { ColumnPath } from "@tfxio/schema";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { BatchSchema } from "../batch-schema.js";
import {
  type AdapterExplanation,
  buffersOf,
  explainTensor,
  type TensorMemoryExplanation,
} from "../explain/explain.js";
import type { Sample } from "../explain/reasons-to-copy.js";
import type { HostColumn } from "../host/host-column.js";
import { named } from "../named-errors.js";
import { type TensorOnlyOptions, toTensor } from "../tensors/to-tensor.js";
import type { TypeSpec } from "../type-spec.js";
import { assertStructuredTensor, type StructuredTensorRepresentation } from "./representation.js";
import type { HostStructured, HostStructuredField } from "./host-structured.js";
import { type StructuredHandler, structuredHandler } from "./structured-columns.js";
import type { StructuredTensorSpec } from "./structured-spec.js";
import { type StructuredField, StructuredTensor } from "./structured-tensor.js";
import { assertArgument, assertOptions, required } from "@tfxio/wire/checks";
import { anArrowSchema, aRecordBatch, aMap, aTensorFactory } from "../argument-rules.js";

/** Config of a {@link StructuredTensorAdapter}. */
export interface StructuredTensorAdapterConfig {
  /** Schema of every batch. */
  readonly arrowSchema: ArrowSchema;
  /** Representation of each tensor, by name. */
  readonly structuredTensors: ReadonlyMap<string, StructuredTensorRepresentation>;
}

/**
 * Turns record batches of one schema into structured tensors, which preserve nesting. A list of structs becomes one tensor of
 * structs, not one ragged tensor per field. `TensorAdapter` handles the other representations.
 * @see RFC 162, "StructuredTensor"
 */
export class StructuredTensorAdapter {
  readonly #schema: BatchSchema;
  readonly #handlers: ReadonlyMap<string, StructuredHandler>;

  /** @throws {ConversionError} `not-convertible` (`no-handler`) if a representation does not fit the schema. */
  constructor(config: StructuredTensorAdapterConfig) {
    assertOptions("StructuredTensorAdapter", config, {
      arrowSchema: required(anArrowSchema),
      structuredTensors: required(aMap),
    });
    const { arrowSchema, structuredTensors } = config;
    for (const representation of structuredTensors.values()) assertStructuredTensor(representation);
    this.#schema = new BatchSchema(arrowSchema);
    this.#handlers = new Map(
      Array.from(structuredTensors, ([name, representation]) => [
        name,
        named(name, "Unable to handle tensor", () => structuredHandler(representation, arrowSchema)),
      ]),
    );
  }

  /** Returns the spec of every tensor, by name. The batch dimension is null. */
  typeSpecs(): ReadonlyMap<string, StructuredTensorSpec> {
    return new Map(Array.from(this.#handlers, ([name, { typeSpec }]) => [name, typeSpec]));
  }

  /**
   * Explains the memory of each field, like `TensorAdapter.explain`. Each field that holds values is listed as a tensor, named
   * by its path. `formatAdapterExplanation` formats the result as a table.
   * @param batch the batch to explain. Without it, the result describes batches in general.
   * @throws The errors of {@link toHost}.
   */
  explain(batch?: RecordBatch): AdapterExplanation {
    const columns = batch === undefined ? undefined : this.toHost(batch);
    const found = batch && { batch, buffers: buffersOf(batch) };
    return {
      tensors: Array.from(this.#handlers, ([name, { typeSpec }]) =>
        explainField(
          { name, path: [], spec: typeSpec, column: columns?.[name] },
          this.#schema.expected,
          found,
        ),
      ).flat(),
    };
  }

  /**
   * Returns the tensors of a batch as typed arrays. They are views of the batch where possible, so do not write to them.
   * @throws {SchemaError} `schema-mismatch` (`batch-schema`).
   * @throws {ConversionError} `not-convertible` (`null-value`, `malformed-column`), `out-of-range` (`batch-too-large`), naming
   * the tensor and, where known, the column and the row.
   */
  toHost(batch: RecordBatch): Record<string, HostStructured> {
    assertArgument("batch", batch, aRecordBatch);
    this.#schema.assertSame(batch.schema);
    return Object.fromEntries(
      Array.from(this.#handlers, ([name, handler]) => [
        name,
        named(name, "Cannot make tensor", () => handler.toHost(batch)),
      ]),
    );
  }

  /**
   * Returns the tensors of a batch on TensorFlow.js's current backend. The caller disposes them; a failed call leaks none.
   * @throws The errors of {@link toHost} and `toTensor`.
   */
  toTensors(
    batch: RecordBatch,
    options: Omit<TensorOnlyOptions, "tensorName">,
  ): Record<string, StructuredTensor> {
    assertOptions("toTensors", options, { tf: aTensorFactory, int64: null, float64: null });
    const made: StructuredField[] = [];
    try {
      return Object.fromEntries(
        Object.entries(this.toHost(batch)).map(([name, column]) => [
          name,
          toField(column, name, options, made) as StructuredTensor,
        ]),
      );
    } catch (error) {
      for (const field of made) field.dispose();
      throw error;
    }
  }
}

/** A field to explain. Its column is undefined if no batch is explained. */
interface FieldPlace {
  readonly name: string;
  /** Steps from a top-level column down to the field. */
  readonly path: readonly string[];
  readonly spec: TypeSpec | StructuredTensorSpec;
  readonly column: HostStructuredField | undefined;
}

function explainField(
  { name, path, spec, column }: FieldPlace,
  schema: ArrowSchema,
  found: Omit<Sample, "column"> | undefined,
): TensorMemoryExplanation[] {
  if (spec.kind !== "structured") {
    const sample = found && { ...found, column: column as HostColumn };
    return [explainTensor(name, { typeSpec: spec, sourceColumns: [new ColumnPath(path)] }, schema, sample)];
  }
  const fields = (column as HostStructured | undefined)?.fields;
  return Array.from(spec.fields, ([step, field]) =>
    explainField(
      { name: `${name}.${step}`, path: [...path, step], spec: field, column: fields?.[step] },
      schema,
      found,
    ),
  ).flat();
}

/**
 * Creates the tensor of a field, and of every field nested in it.
 * @param made collects every created tensor, so that the caller can dispose them after an error.
 */
function toField(
  column: HostStructuredField,
  tensorName: string,
  options: TensorOnlyOptions,
  made: StructuredField[],
): StructuredField {
  if (column.kind !== "structured") {
    const tensor = toTensor(column, { ...options, tensorName });
    made.push(tensor);
    return tensor;
  }
  const fields = Object.entries(column.fields).map(([name, field]) => [
    name,
    toField(field, `${tensorName}.${name}`, options, made),
  ]);
  return new StructuredTensor(
    Object.fromEntries(fields) as Record<string, StructuredField>,
    column.nestedRowSplits.length,
  );
}
