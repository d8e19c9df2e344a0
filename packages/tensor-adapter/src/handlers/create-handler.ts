import type { TensorRepresentation } from "@tfxio/schema";
import type { Schema as ArrowSchema } from "apache-arrow";
import { denseHandler } from "./dense-handler.js";
import { raggedHandler } from "./ragged-handler.js";
import { densePolicies, type RowPolicies } from "../rows/row-policies.js";
import { sparseHandler } from "./sparse-handler.js";
import { noHandler, type TensorHandler } from "./tensor-handler.js";
import { varLenSparseHandler } from "./varlen-sparse-handler.js";
import { ArgumentError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";

/**
 * Creates the handler for the tensor of a representation.
 * @throws {ConversionError} `not-convertible` (`no-handler`).
 * @throws {SchemaError} `schema-invalid` (`bad-default`).
 * @throws {ArgumentError} `invalid-argument` for a value that is not a representation; with reason `policy-needs-default`
 * for a policy that needs a default value which the representation lacks.
 */
export function createHandler(
  representation: TensorRepresentation,
  schema: ArrowSchema,
  policies: RowPolicies,
  tensorName: string,
): TensorHandler {
  assertRepresentation(representation, tensorName);
  const { kind } = representation;
  switch (kind.case) {
    case "denseTensor": {
      const hasDefault = kind.value.defaultValue !== undefined;
      return denseHandler(kind.value, schema, densePolicies(policies, tensorName, hasDefault));
    }
    case "varlenSparseTensor":
      return varLenSparseHandler(kind.value, schema);
    case "sparseTensor":
      return sparseHandler(kind.value, schema);
    case "raggedTensor":
      return raggedHandler(kind.value, schema);
    case undefined:
      throw noHandler("Its representation has no kind.");
    default:
      throw noHandler(`Unknown kind of representation: ${String((kind as { case: unknown }).case)}.`);
  }
}

/**
 * Rejects values that are not representations, because JavaScript callers may pass any value. The kind of a representation, if
 * set, holds a protobuf message, which has a `$typeName`.
 */
function assertRepresentation(representation: TensorRepresentation | undefined, tensorName: string): void {
  const kind: { readonly case?: unknown; readonly value?: unknown } | undefined = representation?.kind;
  const isMessage = (value: unknown): boolean =>
    typeof value === "object" && value !== null && "$typeName" in value;
  if (typeof kind === "object" && kind !== null && (kind.case === undefined || isMessage(kind.value))) return;
  const found = describeValue(representation);
  throw new ArgumentError(
    "invalid-argument",
    `tensorRepresentations must map "${tensorName}" to a TensorRepresentation message, found ${found}.`,
    { argument: `tensorRepresentations "${tensorName}"` },
  );
}
