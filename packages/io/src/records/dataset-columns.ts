import { conformedSchema, schemaFromArrow } from "@tfxio/arrow-encoding";
import {
  getSourceColumns,
  inferTensorRepresentationsFromMixedSchema,
  type Schema,
  setTensorRepresentationsInSchema,
} from "@tfxio/schema";
import {
  type HostColumn,
  type HostColumns,
  RaggedTensorSpec,
  SparseTensorSpec,
  TensorAdapter,
  TensorSpec,
  TensorsToRecordBatchConverter,
  type TypeSpec,
} from "@tfxio/tensor-adapter";
import { SchemaError, UnsupportedError } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Conversion of a dataset's tensors to the columns of record batches. */
export interface DatasetColumns {
  /** The given schema, or a schema that describes the columns and the representations of the tensors. */
  readonly schema: Schema;
  readonly arrowSchema: ArrowSchema;
  /** @throws {SchemaError} `schema-mismatch` (`dataset-element`) for tensors that do not match the specs. */
  convert(tensors: HostColumns): RecordBatch;
}

/**
 * Returns the columns of a dataset whose elements look like `tensors`. The number of rows may vary between elements. So may the
 * row lengths of ragged tensors, and of sparse tensors of rank 2.
 */
export function columnsLike(tensors: HostColumns): DatasetColumns {
  const specs = new Map(Object.entries(tensors).map(([name, column]) => [name, openSpec(column)]));
  const converter = new TensorsToRecordBatchConverter(specs);
  const schema = schemaFromArrow(converter.arrowSchema);
  setTensorRepresentationsInSchema(schema, converter.tensorRepresentations);
  return columnsOf(specs, converter, schema);
}

/**
 * Returns the columns of a dataset whose tensors are described by `schema`.
 * @throws {UnsupportedError} `unsupported` (`dataset-schema`) for a tensor that is not made from exactly one top-level column of
 *   the same name.
 */
export function columnsOfSchema(schema: Schema): DatasetColumns {
  const tensorRepresentations = inferTensorRepresentationsFromMixedSchema(schema);
  for (const [name, representation] of tensorRepresentations) {
    const columns = getSourceColumns(representation);
    const [steps] = columns.map((path) => path.steps);
    if (columns.length === 1 && steps?.length === 1 && steps[0] === name) continue;
    throw new UnsupportedError(
      `The schema makes the tensor "${name}" from ${columns.join(", ")}, but each tensor of a dataset becomes one column ` +
        "with the tensor's name. Omit the schema, or omit this tensor from it.",
      { feature: "schemas of datasets", reason: "dataset-schema" },
    );
  }
  const adapter = new TensorAdapter({ arrowSchema: conformedSchema(schema), tensorRepresentations });
  const specs = adapter.typeSpecs();
  return columnsOf(specs, new TensorsToRecordBatchConverter(specs), schema);
}

function columnsOf(
  specs: ReadonlyMap<string, TypeSpec>,
  converter: TensorsToRecordBatchConverter,
  schema: Schema,
): DatasetColumns {
  return {
    schema,
    arrowSchema: converter.arrowSchema,
    convert(tensors) {
      assertNames([...specs.keys()], Object.keys(tensors));
      for (const [name, spec] of specs) {
        const column = tensors[name] as HostColumn;
        if (!spec.isCompatibleWith(column))
          throw mismatch(
            name,
            `must have a tensor "${name}" with the spec`,
            String(spec),
            String(openSpec(column)),
          );
      }
      return converter.convert(tensors);
    },
  };
}

/** Returns the spec of a column. The number of rows and the lengths of variable-length rows are unknown (null) in the spec. */
function openSpec(column: HostColumn): TypeSpec {
  const { dtype } = column;
  switch (column.kind) {
    case "dense":
      return new TensorSpec([null, ...column.shape.slice(1)], dtype);
    case "sparse": {
      const [, ...sizes] = column.denseShape.map((size) => (size < 0 ? null : size));
      return new SparseTensorSpec([null, ...(sizes.length === 1 ? [null] : sizes)], dtype);
    }
    case "ragged": {
      const raggedRank = column.nestedRowSplits.length;
      const shape = [null, ...Array<null>(raggedRank).fill(null), ...column.innerShape];
      return new RaggedTensorSpec(shape, dtype, raggedRank, column.rowSplitsDtype);
    }
  }
}

function assertNames(expected: readonly string[], found: readonly string[]): void {
  const [expectedNames, foundNames] = [new Set(expected), new Set(found)];
  const name =
    expected.find((each) => !foundNames.has(each)) ?? found.find((each) => !expectedNames.has(each));
  if (name === undefined) return;
  const problem = expected.length === 0 ? "must have" : "must have the tensors";
  throw mismatch(name, problem, expected.join(", ") || "no tensors", found.join(", "));
}

function mismatch(name: string, problem: string, expected: string, actual: string): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `Every element of the dataset ${problem} ${expected}, found ${actual}.`,
    { reason: "dataset-element", columnPath: name, expected, actual },
  );
}
