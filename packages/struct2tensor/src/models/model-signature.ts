import type { Json } from "../expression/json.js";
import { malformed } from "../saved/errors.js";
import { canonicalJson } from "../saved/canonical-json.js";
import { listIn, membersIn, textIn } from "../saved/read-json.js";

/** Tensor types of a SavedModel's inputs and outputs. */
export type SignatureDType = "float32" | "int32" | "int64" | "bool" | "string";

/** Name, type and shape of an input or output. */
export interface TensorSignature {
  readonly name: string;
  readonly dtype: SignatureDType;
  /** Dimension sizes, with null for a dimension of any size. Null instead of a list: any rank. */
  readonly shape: readonly (number | null)[] | null;
}

/** A signature of a SavedModel. @see TensorFlow `SignatureDef` */
export interface ModelSignature {
  readonly name: string;
  /** Sorted by name. */
  readonly inputs: readonly TensorSignature[];
  /** Sorted by name. */
  readonly outputs: readonly TensorSignature[];
}

const DTYPES: readonly string[] = [
  "float32",
  "int32",
  "int64",
  "bool",
  "string",
] satisfies readonly SignatureDType[];
// Limits on untrusted files, far above the needs of real models.
const MAX_TENSORS = 4096;
const MAX_RANK = 16;

/** Reads a signature from untrusted JSON. @throws {RecordError} `malformed-payload`: `data-view`, `data-view-size`. */
export function signatureFromJson(file: string, json: Json): ModelSignature {
  const { name, inputs, outputs } = membersIn(file, "signature", json, ["name", "inputs", "outputs"]);
  return {
    name: textIn(file, "signature.name", name),
    inputs: tensorsIn(file, "inputs", inputs),
    outputs: tensorsIn(file, "outputs", outputs),
  };
}

/** @param what name of the list in error messages. */
function tensorsIn(file: string, what: string, json: Json): readonly TensorSignature[] {
  return listIn(file, what, json, MAX_TENSORS).map((each, index) => {
    const place = `${what}[${index}]`;
    const { name, dtype, shape } = membersIn(file, place, each, ["name", "dtype", "shape"]);
    if (typeof dtype !== "string" || !DTYPES.includes(dtype)) {
      throw malformed(
        file,
        `${place}.dtype must be one of ${DTYPES.join(", ")}, found ${canonicalJson(dtype)}`,
      );
    }
    const sizes = shape === null ? null : listIn(file, `${place}.shape`, shape, MAX_RANK);
    if (!sizes?.every((size) => size === null || (Number.isSafeInteger(size) && (size as number) >= 0))) {
      if (sizes !== null) throw malformed(file, `${place}.shape must be null or a list of sizes and nulls`);
    }
    return {
      name: textIn(file, `${place}.name`, name),
      dtype: dtype as SignatureDType,
      shape: sizes as TensorSignature["shape"],
    };
  });
}

/** Describes a tensor as text, such as `int64 [?, 2]`. */
export function describeTensor({ dtype, shape }: Omit<TensorSignature, "name">): string {
  if (shape === null) return `${dtype} of any shape`;
  const sizes = shape.map((size) => size ?? "?").join(", ");
  return `${dtype} [${sizes}]`;
}

/** Returns true if a tensor of this shape can fit the declared shape. A null size in either shape fits any size. */
export function fitsShape(
  shape: readonly (number | null)[],
  { shape: declared }: Pick<TensorSignature, "shape">,
): boolean {
  if (declared === null) return true;
  return (
    shape.length === declared.length &&
    shape.every((size, index) => size === null || declared[index] === null || size === declared[index])
  );
}
