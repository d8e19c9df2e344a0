import type { ColumnPath } from "@tfxio/schema";
import type { NumberArray } from "@tfxio/arrow-encoding";
import type { Data, RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { DType, HostColumn } from "../host/host-column.js";
import { reasonsToCopy, type Sample } from "./reasons-to-copy.js";
import type { TensorHandler } from "../handlers/tensor-handler.js";
import type { TypeSpec } from "../type-spec.js";

/** The memory of one part of a host column. A part may have several arrays, such as the bytes and offsets of byte strings. */
export interface PartExplanation {
  readonly part: "values" | "indices" | "row splits";
  /**
   * `"view"`: every array shares the batch's memory or is empty. `"copy"`: at least one array is a copy. `"either"`: unknown,
   * because a custom handler was explained without a batch.
   */
  readonly memory: "view" | "copy" | "either";
  readonly why: string;
}

/** The memory of one tensor. */
export interface TensorMemoryExplanation {
  /** Tensor name. For a field of a structured tensor, its path, such as `example.clicks.url`. */
  readonly tensorName: string;
  readonly spec: TypeSpec;
  /** Columns from which the tensor is made. */
  readonly sourceColumns: readonly ColumnPath[];
  /** One entry per part of the host column. */
  readonly parts: readonly PartExplanation[];
  /** A phrase that describes how `toTensors` converts the values with the default policies. */
  readonly toTensors: string;
}

/** Result of `TensorAdapter.explain` and `StructuredTensorAdapter.explain`. */
export interface AdapterExplanation {
  /** The explained tensors, in the adapter's order. */
  readonly tensors: readonly TensorMemoryExplanation[];
}

/**
 * Explains one tensor of the batch in `sample`, or of batches in general if there is no sample.
 * @param isOwn true for a custom handler. Only its result can be examined, because its reasons to copy are unknown.
 */
export function explainTensor(
  tensorName: string,
  { typeSpec, sourceColumns }: Pick<TensorHandler, "typeSpec" | "sourceColumns">,
  schema: ArrowSchema,
  sample: Sample | undefined,
  isOwn = false,
): TensorMemoryExplanation {
  const buffers = sample?.buffers;
  const parts = partsOf(typeSpec).map((part): PartExplanation => {
    const isCopy =
      sample &&
      buffers &&
      !arraysOf(part, sample.column).every((array) => array.length === 0 || buffers.has(array.buffer));
    if (isOwn) {
      const memory = isCopy === undefined ? "either" : isCopy ? "copy" : "view";
      return { part, memory, why: "made by the handler" };
    }
    const { always, sometimes } = reasonsToCopy({ part, spec: typeSpec, sourceColumns, schema });
    if (isCopy ?? always !== undefined) {
      const found = sample && sometimes.filter(({ holds }) => holds(sample)).map(({ when }) => when);
      return { part, memory: "copy", why: always ?? (found?.join(", and ") || "the batch has no rows") };
    }
    const whens = sometimes.map(({ when }) => when).join(", or ");
    const unless = whens !== "" && sample === undefined ? `, unless ${whens}` : "";
    return { part, memory: "view", why: `used in place${unless}` };
  });
  return { tensorName, spec: typeSpec, sourceColumns, parts, toTensors: narrowingOf(typeSpec.dtype) };
}

function partsOf({ kind }: TypeSpec): readonly PartExplanation["part"][] {
  if (kind === "sparse") return ["values", "indices"];
  return kind === "ragged" ? ["values", "row splits"] : ["values"];
}

function narrowingOf(dtype: DType): string {
  switch (dtype) {
    case "int32":
    case "float32":
    case "bool":
      return `${dtype}, the same array; the cpu backend shares it, others upload it`;
    case "string":
      return "string, the bytes copied, one byte array per value";
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

function arraysOf(part: PartExplanation["part"], column: HostColumn): readonly NumberArray[] {
  if (part === "indices") return column.kind === "sparse" ? [column.indices] : [];
  if (part === "row splits") return column.kind === "ragged" ? column.nestedRowSplits : [];
  const { values } = column;
  return ArrayBuffer.isView(values) ? [values] : [values.data, values.offsets];
}

/** Returns every value and offset buffer of a batch. A buffer that several arrays share appears once. */
export function buffersOf({ data }: RecordBatch): ReadonlySet<ArrayBufferLike> {
  const buffers = new Set<ArrayBufferLike>();
  const addBuffers = ({ values, valueOffsets, children }: Data): void => {
    for (const array of [values, valueOffsets]) if (ArrayBuffer.isView(array)) buffers.add(array.buffer);
    children.forEach(addBuffers);
  };
  addBuffers(data);
  return buffers;
}
