import { type ExampleListType, recordBatchOf } from "@tfxio/arrow-encoding";
import { ColumnPath, type TensorRepresentation } from "@tfxio/schema";
import { ArgumentError, ConversionError, SchemaError } from "@tfxio/wire";
import { Schema as ArrowSchema, type Data, type RecordBatch } from "apache-arrow";
import { assertHostColumn } from "../host/check-host-column.js";
import { type HostColumn, numRowsOf } from "../host/host-column.js";
import { named } from "../named-errors.js";
import { readTensor, specMismatch } from "../tensors/read-tensor.js";
import type { AnyTensor } from "../tensors/to-tensor.js";
import { specOf, type TypeSpec } from "../type-spec.js";
import type { ColumnWriter } from "./column-writer.js";
import { createWriter } from "./create-writer.js";
import { UsedMemory } from "./used-memory.js";
import { aListOfNames, anObject, aString, assertArgument, assertOptions, oneOf } from "@tfxio/wire/checks";
import { aMap, aTypeSpec } from "../argument-rules.js";

/** Options of {@link TensorsToRecordBatchConverter}. */
export interface TensorsToRecordBatchOptions {
  /** Names of two-dimensional sparse tensors that get index columns instead of one list column. Default: none. */
  readonly genericSparseTensorNames?: readonly string[] | undefined;
  /** Template for the name of the value column of a sparse tensor with index columns. Default `{tensor_name}$values`. */
  readonly valueColumnTemplate?: string | undefined;
  /** Template for the names of the index columns; `{index}` counts from 0. Default `{tensor_name}$index{index}`. */
  readonly indexColumnTemplate?: string | undefined;
  /** Width of offsets. `"list"` (default): List and Binary. `"large"`: LargeList and LargeBinary, as in tfx_bsl. */
  readonly listType?: ExampleListType | undefined;
}

/**
 * Turns tensors into record batches, and provides the representations that restore them: `new
 * TensorAdapter(converter).toHost(converter.convert(tensors))` equals `tensors`. The only exceptions are `borrowed`, and sizes in
 * the dense shape of a sparse tensor. Without index columns, the size of the second dimension comes back as the length of the
 * longest row. With index columns, a size that the spec leaves unknown comes back as -1.
 * @see tfx_bsl.tfxio.tensor_to_arrow.TensorsToRecordBatchConverter
 */
export class TensorsToRecordBatchConverter {
  /** Schema of every batch. The columns are sorted by tensor name, compared as UTF-8 bytes. */
  readonly arrowSchema: ArrowSchema;
  /** Representation of each tensor by name, in the same order. */
  readonly tensorRepresentations: ReadonlyMap<string, TensorRepresentation>;
  readonly #typeSpecs: ReadonlyMap<string, TypeSpec>;
  readonly #writers: ReadonlyMap<string, ColumnWriter>;

  /**
   * @throws {ConversionError} `not-convertible` (`no-handler`) for a tensor that columns cannot represent.
   * @throws {SchemaError} `schema-mismatch` (`duplicate-column`) if two columns would have the same name.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`) if a name in `genericSparseTensorNames` is not
   * that of a sparse tensor.
   */
  constructor(typeSpecs: ReadonlyMap<string, TypeSpec>, options: TensorsToRecordBatchOptions = {}) {
    assertArgument("typeSpecs", typeSpecs, aMap);
    for (const [name, spec] of typeSpecs) assertArgument(`typeSpecs "${name}"`, spec, aTypeSpec);
    assertOptions("TensorsToRecordBatchConverter", options, {
      genericSparseTensorNames: aListOfNames,
      valueColumnTemplate: aString,
      indexColumnTemplate: aString,
      listType: oneOf("list", "large"),
    });
    const {
      genericSparseTensorNames = [],
      valueColumnTemplate = "{tensor_name}$values",
      indexColumnTemplate = "{tensor_name}$index{index}",
      listType = "list",
    } = options;
    for (const name of genericSparseTensorNames) {
      if (typeSpecs.get(name)?.kind !== "sparse") {
        throw unknownTensor(
          `"${name}" is not a sparse tensor of this converter.`,
          "genericSparseTensorNames",
        );
      }
    }
    const names = Array.from(typeSpecs.keys(), (name) => new ColumnPath([name])).sort(ColumnPath.compare);
    this.#typeSpecs = new Map(typeSpecs);
    this.#writers = new Map(
      names.map(({ steps: [name = ""] }) => {
        const writer = createWriter(name, typeSpecs.get(name) as TypeSpec, {
          listType,
          valueColumn: filledIn(valueColumnTemplate, name),
          indexColumn: (dimension) => filledIn(indexColumnTemplate, name, String(dimension)),
          isGenericSparse: genericSparseTensorNames.includes(name),
        });
        return [name, writer];
      }),
    );
    this.tensorRepresentations = new Map(
      Array.from(this.#writers, ([name, { representation }]) => [name, representation]),
    );
    this.arrowSchema = new ArrowSchema([...this.#writers.values()].flatMap(({ fields }) => fields));
    assertUnique(this.arrowSchema);
  }

  /**
   * Returns host columns as one record batch. It borrows their arrays, so do not write to them afterwards. Row splits and
   * offsets that share memory with another buffer of the batch are copied, because Arrow's IPC writer would merge the two
   * buffers. Rows without values become empty lists, never null.
   * @throws {ConversionError} `shape-mismatch` (`type-spec`, `malformed-tensor`, `row-count`), `not-convertible`
   * (`unsorted-indices`, `sparse-gap`), `out-of-range` (`sparse-index`, `batch-too-large`), naming the tensor.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`) if a tensor is missing or has no spec.
   */
  convert(tensors: Readonly<Record<string, HostColumn>>): RecordBatch {
    this.#assertNames(tensors);
    const children: Data[] = [];
    const used = new UsedMemory();
    let numRows: number | undefined;
    for (const [name, writer] of this.#writers) {
      const column = tensors[name] as HostColumn;
      const spec = this.#typeSpecs.get(name) as TypeSpec;
      assertHostColumn(column, name);
      if (!spec.isCompatibleWith(column)) throw specMismatch(spec, specOf(column), name);
      numRows ??= numRowsOf(column);
      if (numRowsOf(column) !== numRows) {
        throw new ConversionError(
          "shape-mismatch",
          `Tensor "${name}" has ${numRowsOf(column)} rows, but earlier tensors have ${numRows}.`,
          { reason: "row-count", tensorName: name },
        );
      }
      children.push(...named(name, "Cannot write tensor", () => writer.write(column, used)));
    }
    return recordBatchOf(this.arrowSchema, numRows ?? 0, children);
  }

  /**
   * Returns TensorFlow.js tensors as one record batch. Reads them from the device without blocking, and disposes none. Converts
   * numbers back to the dtype of their spec, for example from int32 to int64. Tensors and host columns can be mixed.
   * @throws The errors of {@link convert} and `readTensor`.
   */
  async convertTensors(tensors: Readonly<Record<string, AnyTensor | HostColumn>>): Promise<RecordBatch> {
    this.#assertNames(tensors);
    const columns = await Promise.all(
      Object.entries(tensors).map(async ([tensorName, tensor]): Promise<[string, HostColumn]> => {
        if (typeof tensor === "object" && tensor !== null && "kind" in tensor) return [tensorName, tensor];
        return [tensorName, await readTensor(tensor, { spec: this.#typeSpecs.get(tensorName), tensorName })];
      }),
    );
    return this.convert(Object.fromEntries(columns));
  }

  #assertNames(tensors: Readonly<Record<string, unknown>>): void {
    assertArgument("tensors", tensors, anObject);
    const unknown = Object.keys(tensors).find((name) => !this.#writers.has(name));
    if (unknown !== undefined) throw unknownTensor(`Tensor "${unknown}" has no spec.`, "tensors");
    const missing = [...this.#writers.keys()].find((name) => !Object.hasOwn(tensors, name));
    if (missing !== undefined) throw unknownTensor(`Tensor "${missing}" is missing.`, "tensors");
  }
}

function filledIn(template: string, tensorName: string, index = ""): string {
  return template.replaceAll("{tensor_name}", () => tensorName).replaceAll("{index}", index);
}

function assertUnique(schema: ArrowSchema): void {
  const seen = new Set<string>();
  for (const { name } of schema.fields) {
    if (seen.has(name)) {
      throw new SchemaError(
        "schema-mismatch",
        `Two columns would be named "${name}". Rename a tensor, or change a column template.`,
        { reason: "duplicate-column", columnPath: name },
      );
    }
    seen.add(name);
  }
}

function unknownTensor(finding: string, argument: string): ArgumentError {
  return new ArgumentError("invalid-argument", finding, { reason: "unknown-tensor", argument });
}
