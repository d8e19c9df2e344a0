import { isListType } from "@tfxio/arrow-encoding";
import type { ColumnPath } from "@tfxio/schema";
import { type Data, DataType, type RecordBatch, type Schema as ArrowSchema } from "apache-arrow";
import type { DType, HostColumn, HostValues } from "./host-column.js";
import type { TensorHandler } from "./tensor-handler.js";
import type { TypeSpec } from "./type-spec.js";
import { typesOnPath } from "./types-on-path.js";

/** The memory that one array of a host column lies in. */
export interface PartExplanation {
  readonly part: "values" | "indices" | "row splits";
  /** `"view"` shares the batch's memory, `"copy"` has its own. */
  readonly memory: "view" | "copy";
  readonly why: string;
}

/** Which memory one tensor lies in. */
export interface TensorMemoryExplanation {
  /** Of a field of structured tensors the path to it: `example.clicks.url`. */
  readonly tensorName: string;
  readonly spec: TypeSpec;
  /** The columns it is made of. */
  readonly sourceColumns: readonly ColumnPath[];
  /** Arrays of its host column. */
  readonly parts: readonly PartExplanation[];
  /** What `toTensors` does with the values, by the default policies. */
  readonly toTensors: string;
}

/** What `TensorAdapter.explain` and `StructuredTensorAdapter.explain` tell. */
export interface AdapterExplanation {
  /** In the adapter's order. */
  readonly tensors: readonly TensorMemoryExplanation[];
}

/** A tensor of a batch, to tell what was done. */
export interface Sample {
  readonly batch: RecordBatch;
  readonly column: HostColumn;
}

/** Explains one tensor: of `sample` what was done, otherwise what is done with any batch. */
export function explainTensor(
  tensorName: string,
  { typeSpec, sourceColumns }: Pick<TensorHandler, "typeSpec" | "sourceColumns">,
  schema: ArrowSchema,
  sample: Sample | undefined,
): TensorMemoryExplanation {
  const types = sourceColumns.flatMap((path) => typesOnPath(schema, path));
  const buffers = sample && buffersOf(sample.batch.data);
  const parts = partsOf(typeSpec).map((part): PartExplanation => {
    const { always, sometimes } = reasonsToCopy(part, typeSpec, types);
    const isCopy =
      sample && buffers
        ? !arraysOf(part, sample.column).every((array) => buffers.has(array.buffer))
        : always !== undefined;
    if (isCopy) return { part, memory: "copy", why: always ?? sometimes.join(", or ") };
    const unless = sometimes.length > 0 && sample === undefined ? `, unless ${sometimes.join(", or ")}` : "";
    return { part, memory: "view", why: `lies in the batch as it is${unless}` };
  });
  return { tensorName, spec: typeSpec, sourceColumns, parts, toTensors: narrowingOf(typeSpec.dtype) };
}

function partsOf({ kind }: TypeSpec): readonly PartExplanation["part"][] {
  if (kind === "sparse") return ["values", "indices"];
  return kind === "ragged" ? ["values", "row splits"] : ["values"];
}

function reasonsToCopy(
  part: PartExplanation["part"],
  { kind }: TypeSpec,
  types: readonly DataType[],
): { always: string | undefined; sometimes: readonly string[] } {
  const hidden = "null rows hide values";
  const sliced = "the batch is a slice";
  if (part === "indices")
    return { always: "indices are computed of offsets or index columns", sometimes: [] };
  if (part === "row splits") {
    const isOther = types.some((type) => DataType.isLargeList(type) || DataType.isFixedSizeList(type));
    const always = isOther ? "LargeList and FixedSizeList have no 32-bit offsets to view" : undefined;
    return { always, sometimes: [sliced, hidden, "partitions divide them"] };
  }
  const isDictionary = types.some((type) => DataType.isDictionary(type));
  const isLargeBytes = types.some((type) => DataType.isLargeBinary(type) || DataType.isLargeUtf8(type));
  return {
    always: isDictionary
      ? "dictionary-encoded values are looked up"
      : isLargeBytes
        ? "64-bit offsets of byte strings become 32-bit ones (the bytes are a view)"
        : undefined,
    sometimes:
      // A value per row, as fields of structured tensors may be, is never filled up.
      kind === "tensor" && types.some(isListType)
        ? ["rows are filled up with the default value or cut off", hidden]
        : [hidden],
  };
}

function narrowingOf(dtype: DType): string {
  switch (dtype) {
    case "int32":
    case "float32":
      return `${dtype}, the same array; the cpu backend shares it, others upload it`;
    case "string":
      return "string, one byte array per value";
    case "float16":
      return "float32, widened in a copy";
    case "float64":
      return "float32, each value checked in a copy (option float64)";
    case "int64":
    case "uint64":
      return "int32, each value checked in a copy (option int64)";
    case "uint32":
      return "int32, each value checked, the same memory (option int64)";
    default:
      return "int32, widened in a copy";
  }
}

function arraysOf(part: PartExplanation["part"], column: HostColumn): readonly ArrayBufferView[] {
  if (part === "indices") return column.kind === "sparse" ? [column.indices] : [];
  if (part === "row splits") return column.kind === "ragged" ? column.nestedRowSplits : [];
  return viewsOf(column.values);
}

function viewsOf(values: HostValues): readonly ArrayBufferView[] {
  return ArrayBuffer.isView(values) ? [values] : [values.data, values.offsets];
}

/** Every buffer of a batch; small arrays of tests may share one, which tells nothing wrong. */
function buffersOf(data: Data): Set<ArrayBufferLike> {
  const own = [data.values, data.valueOffsets].filter((array) => ArrayBuffer.isView(array));
  return new Set([
    ...own.map(({ buffer }) => buffer),
    ...data.children.flatMap((child) => [...buffersOf(child)]),
  ]);
}
