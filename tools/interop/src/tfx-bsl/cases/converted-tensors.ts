import type { VectorCase } from "@tfxio-tools/conformance/vector-file";
import { seeded } from "../../seeded.js";
import { chance, oneOf } from "./hostile-features.js";
import type { Json, Question } from "../question.js";
import { valuesOf, valueType } from "./random-columns.js";
import { asked } from "../vectors.js";

/** Creates a round-trip case of tensor_to_arrow for one tensor `t` and its type spec. tfx_bsl provides the expectation. */
export function converterCase(
  name: string,
  tensor: unknown,
  spec: unknown,
  genericSparse: readonly string[] = [],
): VectorCase {
  const input = {
    type_specs: { t: spec },
    tensors: { t: tensor },
    ...(genericSparse.length > 0 && { generic_sparse_tensor_names: genericSparse }),
  };
  const expect = { record_batch: {}, tensor_representations: {}, round_trip_tensors: {} };
  return {
    family: "tfx-bsl",
    group: "tensor_to_arrow",
    op: "convert",
    name,
    body: { source: asked, input, expect },
  };
}

/** Creates cases that convert the tensors of tfx_bsl's answers back to batches. */
export function backToArrow(questions: readonly Question[]): readonly VectorCase[] {
  return questions.flatMap(({ what, theirs }, index) => {
    const { tensors, type_specs: specs } = theirs as Readonly<Record<string, Json | undefined>>;
    if (tensors?.["t"] === undefined || specs?.["t"] === undefined) return [];
    const generic = index % 2 === 0 && (tensors["t"] as Json)["kind"] === "sparse" ? ["t"] : [];
    return [converterCase(`${what}, back`, tensors["t"], specs["t"], generic)];
  });
}

/**
 * Creates cases of random dense and sparse tensors. Some have shapes that no adapter returns. Equal seeds produce equal cases.
 */
export function randomConversions(seed: number, count: number): readonly VectorCase[] {
  const below = seeded(seed);
  const sizes = (length: number): number[] => Array.from({ length }, () => oneOf(below, [0, 1, 2, 3]));
  const product = (shape: readonly number[]): number => shape.reduce((size, each) => size * each, 1);
  const known = (shape: readonly number[]): (number | null)[] => [
    null,
    ...shape.slice(1).map((size) => (chance(below, 5) ? null : size)),
  ];
  return Array.from({ length: count }, (_unused, index) => {
    const dtypeOf = valueType(below);
    const dtype = dtypeOf.includes("binary") ? "string" : dtypeOf;
    const name = `tensor ${index}`;
    if (index % 2 === 0) {
      const shape = sizes(1 + below(4));
      const tensor = { kind: "dense", dtype, shape, values: valuesOf(below, dtypeOf, product(shape)) };
      return converterCase(name, tensor, { kind: "tensor", dtype, shape: known(shape) });
    }
    const shape = sizes(oneOf(below, [1, 2, 2, 2, 3]));
    // The indices of sparse tensors are sorted.
    const indices = allIndices(shape).filter(() => chance(below, 50));
    const values = valuesOf(below, dtypeOf, indices.length);
    const tensor = { kind: "sparse", dtype, indices, values, dense_shape: shape };
    const spec = { kind: "sparse", dtype, shape: known(shape) };
    return converterCase(name, tensor, spec, chance(below, 50) ? ["t"] : []);
  });
}

function allIndices(shape: readonly number[]): readonly (readonly number[])[] {
  return shape.reduce<readonly (readonly number[])[]>(
    (found, size) => found.flatMap((start) => Array.from({ length: size }, (_unused, at) => [...start, at])),
    [[]],
  );
}
