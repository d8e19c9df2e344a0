import { toJson } from "@bufbuild/protobuf";
import { toBase64 } from "@tfxio/arrow-encoding";
import { TensorRepresentationSchema } from "@tfxio/schema";
import { TensorsToRecordBatchConverter, type TypeSpec } from "@tfxio/tensor-adapter";
import { RecordBatchStreamWriter } from "apache-arrow";
import type { Json } from "../expression/json.js";
import { constantToJson } from "../functions/constants.js";
import type { QueryPlan } from "../plan/query-plan.js";
import type { CheckedOutput } from "./outputs.js";

/** Creates the converter from a view's tensors to Arrow columns. @throws {ConversionError} `not-convertible` (`no-handler`). */
export function converterOf(
  outputs: readonly { readonly name: string; readonly spec: TypeSpec }[],
): TensorsToRecordBatchConverter {
  return new TensorsToRecordBatchConverter(new Map(outputs.map(({ name, spec }) => [name, spec])));
}

/** An output with the ids of the graph nodes from the root to its leaf. */
export interface WiredOutput extends CheckedOutput {
  readonly nodeIds: readonly string[];
}

/**
 * Returns the content of `signature.json` for a query: the outputs (each with the message fields that it reads), the record index
 * and the Arrow schema.
 */
export function signatureJson(
  outputs: readonly WiredOutput[],
  plan: QueryPlan,
  recordIndex: string | undefined,
): Json {
  const converter = converterOf(outputs);
  return {
    outputs: outputs.map((output) => {
      const { name, nodeIds, path, view, shape, defaultValue, spec } = output;
      const planned = plan.outputs[0]!.find((field) => field.path.toString() === path.toString())!;
      return {
        name,
        path: nodeIds,
        steps: path.steps,
        view,
        shape: shape === undefined ? null : [...shape],
        defaultValue: defaultValue === undefined ? null : constantToJson(defaultValue),
        spec: specJson(spec),
        tensorRepresentation: representationJson(converter, name),
        sourcePaths: Object.values(plan.sourcePathsOf(planned)).flat().map(String),
      };
    }),
    recordIndex: recordIndex ?? null,
    arrowSchema: arrowSchemaText(converter),
  };
}

/** Returns the representation of a tensor as proto JSON. */
export function representationJson(
  { tensorRepresentations }: TensorsToRecordBatchConverter,
  name: string,
): Json {
  return toJson(TensorRepresentationSchema, tensorRepresentations.get(name)!) as Json;
}

/** Returns the schema of the batches as an Arrow IPC stream without batches, in base64. */
export function arrowSchemaText({ arrowSchema }: TensorsToRecordBatchConverter): string {
  return toBase64(new RecordBatchStreamWriter().reset(undefined, arrowSchema).finish().toUint8Array(true));
}

/** Converts a spec to JSON. */
export function specJson(spec: TypeSpec): Json {
  const { kind, dtype } = spec;
  const shape = spec.shape === null ? null : [...spec.shape];
  if (spec.kind !== "ragged") return { kind, dtype, shape };
  return { kind, dtype, shape, raggedRank: spec.raggedRank, rowSplitsDtype: spec.rowSplitsDtype };
}
