import type { TensorRepresentation } from "@tfxio/schema";
import type { Schema as ArrowSchema } from "apache-arrow";
import { denseHandler } from "./dense-handler.js";
import { raggedHandler } from "./ragged-handler.js";
import { densePolicies, type RowPolicies } from "./row-policies.js";
import { sparseHandler } from "./sparse-handler.js";
import { noHandler, type TensorHandler } from "./tensor-handler.js";
import { varLenSparseHandler } from "./varlen-sparse-handler.js";

/**
 * What makes the tensor of a representation.
 * @throws {ConversionError} `not-convertible` (`no-handler`); {@link SchemaError} `schema-invalid` (`bad-default`);
 * {@link ArgumentError} `invalid-argument` (`policy-needs-default`).
 */
export function createHandler(
  { kind }: TensorRepresentation,
  schema: ArrowSchema,
  policies: RowPolicies,
  tensorName: string,
): TensorHandler {
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
  }
}
