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

/** A tensor of a {@link SavedModelView}, made of the model's outputs, which are named here. */
export type SavedModelOutput =
  | {
      readonly view: "dense";
      /** The rows: the first dimension is the batch. */
      readonly tensor: string;
    }
  | {
      readonly view: "ragged";
      /** The innermost values: their first dimension is the innermost ragged one. */
      readonly values: string;
      /** Row splits, outermost first: int32 or int64, of rank 1, all of one type. */
      readonly rowSplits: readonly string[];
    }
  | {
      readonly view: "sparse";
      /** int64 `[values, rank]`, in the order of the rows. */
      readonly indices: string;
      /** Of rank 1. */
      readonly values: string;
      /** int64 `[rank]`. */
      readonly denseShape: string;
    };

/** Options of {@link createSavedModelView}. */
export interface SavedModelViewOptions {
  /** Outputs by the names of their tensors. */
  readonly outputs: Readonly<Record<string, SavedModelOutput>>;
  /** Name of the output that holds the position of each row's record. Required when rows are not records. Default: no output. */
  readonly recordIndex?: string | undefined;
}

/** An output with a checked form and its spec. */
export type CheckedModelOutput = SavedModelOutput & { readonly name: string; readonly spec: TypeSpec };

/** A SavedModel that decodes records. It can be saved as a directory, as a query can. */
export interface SavedModelView {
  readonly kind: "tf-saved-model";
  readonly model: QueryModel;
  /** Outputs in the order of their names. */
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
 * The view of a SavedModel whose signature takes records and returns tensors: one string input of rank 1, and outputs that are
 * dense tensors, or the parts of ragged and sparse ones.
 * @param model of `createSavedQueryModel`.
 * @throws {ArgumentError} `invalid-argument` for an output that the model does not have, also `record-index-missing`,
 * `record-index-type`. {@link SchemaError} `schema-mismatch` (`model-signature`) for inputs or outputs of another type or shape.
 * @see TFX `TFGraphRecordDecoder`
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
      `The model must have one input, string [?], for the records; its inputs are ${found || "none"}.`,
    );
  }
  const names = Object.keys(outputs).sort();
  if (names.length === 0) throw invalidArgument("outputs", "at least one output", outputs);
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
  throw invalidArgument(owner, `outputs among ${outputs.map((output) => output.name).join(", ")}`, name);
}

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
      throw mismatch(`The row splits ${listed(splits)} must be int32 or int64, all of rank 1.`);
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
      `The parts of a sparse tensor must be int64 [?, rank], [?] and int64 [rank], found ${parts}.`,
    );
  }
  return new SparseTensorSpec(Array<null>(rank).fill(null), values.dtype);
}

/** The sizes after the first dimension. */
function innerShape(tensor: TensorSignature): readonly (number | null)[] {
  if (tensor.shape !== null && tensor.shape.length > 0) return tensor.shape.slice(1);
  throw mismatch(`The output ${listed([tensor])} must have rows, and a rank that its signature says.`);
}

function listed(tensors: readonly TensorSignature[]): string {
  return tensors.map((tensor) => `"${tensor.name}", ${describeTensor(tensor)}`).join("; ");
}

function mismatch(message: string): SchemaError {
  return new SchemaError("schema-mismatch", message, { reason: "model-signature" });
}
