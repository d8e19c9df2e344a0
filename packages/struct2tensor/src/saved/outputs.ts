import {
  type HostColumn,
  RaggedTensorSpec,
  SparseTensorSpec,
  TensorSpec,
  type TypeSpec,
} from "@tfxio/tensor-adapter";
import {
  aName,
  anInteger,
  anObject,
  assertArgument,
  assertOptions,
  invalidArgument,
  oneOf,
  required,
  rule,
} from "@tfxio/wire/checks";
import { wrongField } from "../expression/errors.js";
import { fieldsTo } from "../expression/find-field.js";
import type { Field } from "../expression/graph-node.js";
import type { Constant } from "../functions/value-function.js";
import { Path } from "../path/path.js";
import type { FieldType } from "../prensor/nodes.js";
import type { Prensor } from "../prensor/prensor.js";
import { assertDefault } from "../views/dense.js";

/** The file of a saved view that describes its outputs. */
export const SIGNATURE_FILE = "signature.json";

/** Limit on the outputs of a saved view, far above the needs of real views. */
export const MAX_OUTPUTS = 65_536;

/** A tensor of a {@link DataView}. */
export interface DataViewOutput {
  /** The leaf that provides the values. */
  readonly path: Path | string;
  /** Form of the tensor, and name of the {@link Prensor} method that creates it. */
  readonly view: "ragged" | "sparse" | "dense";
  /** For dense tensors: the sizes after the batch dimension, one for each repeated step of the path. Default `[]`. */
  readonly shape?: readonly number[] | undefined;
  /** For dense tensors: the value for missing values. Without it, a missing value is an error. */
  readonly defaultValue?: Constant | undefined;
}

/** An output with a checked path and checked options. */
export interface CheckedOutput extends DataViewOutput {
  /** Name of the tensor. */
  readonly name: string;
  readonly path: Path;
  readonly spec: TypeSpec;
}

const aSize = rule(
  "sizes of dimensions",
  (value) => Array.isArray(value) && value.every((size) => anInteger(0).holds(size)),
);
const aPath = rule("a path", (value) => typeof value === "string" || value instanceof Path);
const anything = rule("a constant", () => true);

/**
 * Checks outputs, and derives their specs. Returns the outputs with their specs, sorted by name.
 * @throws {ArgumentError} `invalid-argument`.
 * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `not-a-leaf`.
 */
export function checkOutputs(
  root: Field,
  outputs: Readonly<Record<string, DataViewOutput>>,
): readonly CheckedOutput[] {
  assertArgument("outputs", outputs, anObject);
  const names = Object.keys(outputs).sort();
  if (names.length === 0) throw invalidArgument("outputs", "an object with at least one output", outputs);
  return names.map((name) => checkOutput(root, name, outputs[name]!));
}

function checkOutput(root: Field, name: string, output: DataViewOutput): CheckedOutput {
  assertArgument("outputs", name, aName);
  assertOptions<DataViewOutput>(`outputs.${name}`, output, {
    path: required(aPath),
    view: required(oneOf("ragged", "sparse", "dense")),
    shape: aSize,
    defaultValue: anything,
  });
  const path = Path.from(output.path);
  const { view, shape, defaultValue } = output;
  if (view !== "dense" && (shape !== undefined || defaultValue !== undefined)) {
    throw invalidArgument(`outputs.${name}`, '"dense" if shape or defaultValue is given', view, {
      at: ".view",
    });
  }
  const types = fieldsTo(root, path)
    .slice(1)
    .map(({ node }) => node.type as FieldType);
  const leaf = types.at(-1);
  if (leaf?.kind !== "leaf") throw wrongField("not-a-leaf", path, "a leaf", leaf ?? { kind: "root" });
  if (defaultValue !== undefined) assertDefault(`outputs.${name}.defaultValue`, defaultValue, leaf.dtype);
  const numRepeated = types.filter(({ isRepeated }) => isRepeated).length;
  if (view === "dense" && (shape?.length ?? 0) !== numRepeated) {
    throw invalidArgument(
      `outputs.${name}.shape`,
      `a list with one size for each repeated step (${numRepeated} in total)`,
      shape,
    );
  }
  return { ...output, name, path, spec: specOf(types.length, numRepeated, leaf.dtype, output) };
}

/** Derives the spec of an output. Dimensions whose size depends on the data are null. */
function specOf(
  depth: number,
  numRepeated: number,
  dtype: TypeSpec["dtype"],
  { view, shape = [] }: DataViewOutput,
): TypeSpec {
  const open = (rank: number): readonly null[] => Array<null>(rank).fill(null);
  if (view === "ragged") return new RaggedTensorSpec(open(depth + 1), dtype, depth, "int64");
  if (view === "sparse") return new SparseTensorSpec(open(numRepeated + 1), dtype);
  return new TensorSpec([null, ...shape], dtype);
}

/** Returns the tensor of an output. */
export function tensorOf(prensor: Prensor, { view, path, shape, defaultValue }: CheckedOutput): HostColumn {
  return view === "dense" ? prensor.dense(path, { shape, defaultValue }) : prensor[view](path);
}
