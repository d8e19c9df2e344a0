import { RaggedTensorSpec, SparseTensorSpec, TensorSpec, type TypeSpec } from "@tfxio/tensor-adapter";
import { SchemaError } from "@tfxio/wire";
import {
  aListOfNames,
  aName,
  anObject,
  assertArgument,
  assertOptions,
  aString,
  invalidArgument,
  membersOf,
  oneOf,
  required,
  rule,
} from "@tfxio/wire/checks";
import { describeTensor, type TensorSignature } from "../models/model-signature.js";
import type { QueryModel } from "../models/query-model.js";
import { assertRecordIndex } from "./record-index.js";

/** A tensor of a {@link SavedModelView}, composed of named outputs of the model. */
export type SavedModelOutput =
  | {
      readonly view: "dense";
      /** Name of the output that holds the rows. The output's first dimension is the batch. */
      readonly tensor: string;
    }
  | {
      readonly view: "ragged";
      /** Output with the values of all rows, concatenated along the first dimension. */
      readonly values: string;
      /** Outputs with the row splits, outermost first. Each has rank 1, and all have the same dtype, int32 or int64. */
      readonly rowSplits: readonly string[];
    }
  | {
      readonly view: "sparse";
      /** int64 output `[values, rank]`, in row-major order. */
      readonly indices: string;
      /** The values: an output of rank 1. */
      readonly values: string;
      /** int64 output `[rank]`. */
      readonly denseShape: string;
    };

/** Options of {@link createSavedModelView}. */
export interface SavedModelViewOptions {
  /** Outputs, keyed by tensor name. */
  readonly outputs: Readonly<Record<string, SavedModelOutput>>;
  /**
   * Name of the output that holds each row's record index: ragged or sparse integers, exactly one per row. Required unless each
   * row is one record. Default: none.
   */
  readonly recordIndex?: string | undefined;
}

/** A checked output with its name and spec. */
export type CheckedModelOutput = SavedModelOutput & { readonly name: string; readonly spec: TypeSpec };

/** A SavedModel that decodes records. It can be saved like a query's view. */
export interface SavedModelView {
  readonly kind: "tf-saved-model";
  readonly model: QueryModel;
  /** The outputs, sorted by name. */
  readonly outputs: readonly CheckedModelOutput[];
  readonly recordIndex?: string | undefined;
}

const RULES = {
  dense: { view: null, tensor: required(aName) },
  ragged: {
    view: null,
    values: required(aName),
    rowSplits: required(
      rule(
        "names of row splits",
        (value) => aListOfNames.holds(value) && Number(membersOf(value)["length"]) > 0,
      ),
    ),
  },
  sparse: { view: null, indices: required(aName), values: required(aName), denseShape: required(aName) },
} as const;

/**
 * Creates a view from a SavedModel whose signature maps records to tensors. The signature must have one string input, whose
 * rank is 1 or unknown. Its outputs are dense tensors, or the parts of ragged and sparse tensors.
 * @param model a model from `createSavedQueryModel`.
 * @throws {ArgumentError} `invalid-argument` for an output that the model does not have; with the reason
 *   `record-index-missing` or `record-index-type` for an unusable `recordIndex`.
 * @throws {SchemaError} `schema-mismatch` (`model-signature`) for inputs or outputs with an unsupported type or shape.
 * @see tfx_bsl `TFGraphRecordDecoder`
 */
export function createSavedModelView(model: QueryModel, options: SavedModelViewOptions): SavedModelView {
  assertArgument("model", model, anObject);
  if (model.signature === undefined) throw invalidArgument("model", "a SavedModel", model.format);
  assertOptions("createSavedModelView", options, { outputs: required(anObject), recordIndex: aString });
  const { outputs, recordIndex } = options;
  const [input, ...others] = model.signature.inputs;
  if (input?.dtype !== "string" || (input.shape?.length ?? 1) !== 1 || others.length > 0) {
    const found = model.signature.inputs.map((each) => `${each.name}: ${describeTensor(each)}`).join(", ");
    throw mismatch(
      `The model must have one input of type string [?] for the records, found ${found || "none"}.`,
    );
  }
  const names = Object.keys(outputs).sort();
  if (names.length === 0) throw invalidArgument("outputs", "an object with at least one output", outputs);
  const checked = names.map((name) => checkOutput(model, name, outputs[name]!));
  if (recordIndex !== undefined) assertRecordIndex(checked, recordIndex);
  return { kind: "tf-saved-model", model, outputs: checked, recordIndex };
}

function checkOutput(model: QueryModel, name: string, output: SavedModelOutput): CheckedModelOutput {
  const owner = `outputs.${name}`;
  assertArgument("outputs", name, aName);
  assertArgument(owner, output, anObject);
  assertArgument(`${owner}.view`, output.view, required(oneOf("dense", "ragged", "sparse")));
  assertOptions<object>(owner, output, RULES[output.view]);
  return { ...output, name, spec: specOf(output, (tensor) => tensorOf(model, owner, tensor)) };
}

function tensorOf({ signature }: QueryModel, owner: string, name: string): TensorSignature {
  const { outputs } = signature!;
  const found = outputs.find((output) => output.name === name);
  if (found !== undefined) return found;
  throw invalidArgument(
    owner,
    `made of outputs of the model (${outputs.map((output) => output.name).join(", ")})`,
    name,
  );
}

/** Derives the spec of an output from the declared tensors. @param tensorNamed returns the signature of a model output. */
function specOf(output: SavedModelOutput, tensorNamed: (name: string) => TensorSignature): TypeSpec {
  if (output.view === "dense") {
    const tensor = tensorNamed(output.tensor);
    return new TensorSpec([null, ...innerShape(tensor)], tensor.dtype);
  }
  const values = tensorNamed(output.values);
  if (output.view === "ragged") {
    const splits = output.rowSplits.map(tensorNamed);
    const [dtype] = splits.map((each) => each.dtype);
    const areSplits = splits.every((each) => each.dtype === dtype && each.shape?.length === 1);
    if (!areSplits || (dtype !== "int32" && dtype !== "int64")) {
      throw mismatch(`Row splits must have rank 1, and be all int32 or all int64, found ${listed(splits)}.`);
    }
    const ragged = Array<null>(splits.length + 1).fill(null);
    return new RaggedTensorSpec([...ragged, ...innerShape(values)], values.dtype, splits.length, dtype);
  }
  const [indices, denseShape] = [tensorNamed(output.indices), tensorNamed(output.denseShape)];
  const rank = indices.shape?.[1] ?? denseShape.shape?.[0];
  const hasRanks =
    indices.shape?.length === 2 && denseShape.shape?.length === 1 && values.shape?.length === 1;
  if (!hasRanks || typeof rank !== "number" || indices.dtype !== "int64" || denseShape.dtype !== "int64") {
    const parts = listed([indices, values, denseShape]);
    throw mismatch(
      `A sparse tensor must have indices int64 [?, rank], values [?] and denseShape int64 [rank], found ${parts}.`,
    );
  }
  return new SparseTensorSpec(Array<null>(rank).fill(null), values.dtype);
}

/**
 * Returns the sizes after the first dimension. @throws {SchemaError} `schema-mismatch` (`model-signature`) for a scalar or an
 * unknown rank.
 */
function innerShape(tensor: TensorSignature): readonly (number | null)[] {
  if (tensor.shape !== null && tensor.shape.length > 0) return tensor.shape.slice(1);
  throw mismatch(`The signature must declare a rank of at least 1 for the output ${listed([tensor])}.`);
}

function listed(tensors: readonly TensorSignature[]): string {
  return tensors.map((tensor) => `"${tensor.name}", ${describeTensor(tensor)}`).join("; ");
}

function mismatch(message: string): SchemaError {
  return new SchemaError("schema-mismatch", message, { reason: "model-signature" });
}
