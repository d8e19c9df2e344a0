import type { TfxioErrorCode } from "@tfxio/wire";
import type { Family } from "./vector-file.js";

/**
 * Identifies our errors by code and reason. A key without `reason` matches every reason of its code that has no key of its own.
 */
export interface ErrorKey {
  readonly code: TfxioErrorCode;
  readonly reason?: string;
}

/** The error that each category of the `tfx-bsl/` vectors denotes. */
const tfxBsl: Readonly<Record<string, ErrorKey>> = {
  "bad-default": { code: "schema-invalid", reason: "bad-default" },
  "bad-original-specs": { code: "invalid-argument", reason: "bad-original-specs" },
  "bad-schema-type": { code: "schema-invalid", reason: "bad-schema-type" },
  "bad-value": { code: "not-convertible", reason: "cell-value" },
  "bad-value-type": { code: "schema-mismatch", reason: "value-type" },
  "column-count": { code: "malformed-payload", reason: "column-count" },
  "convert-failed": { code: "shape-mismatch", reason: "row-shape" },
  "duplicate-column": { code: "schema-mismatch", reason: "duplicate-column" },
  empty: { code: "invalid-argument", reason: "empty" },
  "incompatible-type": { code: "schema-mismatch", reason: "incompatible-type" },
  "invalid-argument": { code: "invalid-argument" },
  "invalid-schema": { code: "schema-invalid", reason: "representation" },
  malformed: { code: "malformed-payload" },
  "no-handler": { code: "not-convertible", reason: "no-handler" },
  "not-a-list": { code: "schema-mismatch", reason: "not-a-list" },
  "path-not-found": { code: "schema-mismatch", reason: "path-not-found" },
  projection: { code: "schema-mismatch", reason: "projection" },
  "raw-column-collision": { code: "invalid-argument", reason: "raw-column-collision" },
  "schema-mismatch": { code: "schema-mismatch", reason: "batch-schema" },
  "schema-not-subset": { code: "schema-mismatch", reason: "not-a-subset" },
  "schema-required": { code: "schema-required" },
  "source-conflict": { code: "schema-invalid", reason: "source-conflict" },
  "spec-mismatch": { code: "shape-mismatch", reason: "type-spec" },
  "too-few-levels": { code: "shape-mismatch", reason: "too-few-levels" },
  "too-many-levels": { code: "shape-mismatch", reason: "too-many-levels" },
  unsupported: { code: "unsupported", reason: "nested-struct" },
  "unsupported-path": { code: "unsupported", reason: "feature-path" },
  "unsupported-type": { code: "unsupported", reason: "column-type" },
  validation: { code: "schema-invalid", reason: "validation" },
  "wrong-kind": { code: "schema-mismatch", reason: "wrong-kind" },
};

/** The error that each category of the `dataset/` vectors denotes. */
const dataset: Readonly<Record<string, ErrorKey>> = {
  "data-loss": { code: "shape-mismatch", reason: "data-loss" },
  "invalid-argument": { code: "invalid-argument" },
  nulls: { code: "not-convertible", reason: "nulls" },
  "out-of-range": { code: "out-of-range" },
  "ragged-lists": { code: "shape-mismatch", reason: "ragged-lists" },
  "type-mismatch": { code: "schema-mismatch", reason: "type-mismatch" },
  "unsupported-type": { code: "unsupported", reason: "column-type" },
  "user-function": { code: "user-function" },
};

/** The error that each code of the `struct2tensor/` vectors denotes. The artifact vectors are part of this family. */
const struct2tensor: Readonly<Record<string, ErrorKey>> = {
  BAD_MAP_KEY: { code: "invalid-argument", reason: "map-key" },
  BAD_PATH: { code: "invalid-argument", reason: "column-path" },
  BAD_TAG: { code: "malformed-payload", reason: "tag" },
  BAD_VARINT: { code: "malformed-payload", reason: "varint" },
  BAD_WIRE_TYPE: { code: "malformed-payload", reason: "wire-type" },
  CARDINALITY_MISMATCH: { code: "schema-mismatch", reason: "cardinality" },
  DATA_VIEW_INCOMPLETE: { code: "invalid-argument", reason: "data-view-incomplete" },
  DATA_VIEW_MISSING_ON_SOME: { code: "invalid-argument", reason: "data-view-missing-on-some" },
  DATA_VIEW_REQUIRED: { code: "invalid-argument", reason: "data-view-required" },
  DUPLICATE_PATH: { code: "invalid-argument", reason: "duplicate-path" },
  GROUP_MISMATCH: { code: "malformed-payload", reason: "group" },
  MASK_NOT_BOOL: { code: "schema-mismatch", reason: "mask-not-bool" },
  MASK_REPEATED: { code: "schema-mismatch", reason: "mask-repeated" },
  MIXED_PAYLOAD_FORMATS: { code: "invalid-argument", reason: "mixed-payload-formats" },
  NON_MONOTONE: { code: "not-convertible", reason: "parent-order" },
  NOT_A_LEAF: { code: "schema-mismatch", reason: "not-a-leaf" },
  NOT_A_PROTO_MESSAGE: { code: "schema-mismatch", reason: "not-a-proto-message" },
  NOT_EXAMPLES: { code: "invalid-argument", reason: "not-examples" },
  NOT_OPTIONAL: { code: "shape-mismatch", reason: "not-optional" },
  NO_EXAMPLES: { code: "invalid-argument", reason: "no-examples" },
  NO_ROOT_INDEX: { code: "invalid-argument", reason: "root-index" },
  NO_ROOT_MAP: { code: "invalid-argument", reason: "root-map" },
  NO_ROOT_SIZE: { code: "invalid-argument", reason: "root-size" },
  NO_SUCH_PATH: { code: "schema-mismatch", reason: "unknown-column" },
  PATH_EXISTS: { code: "invalid-argument", reason: "path-exists" },
  PROMOTE_BEYOND_ROOT: { code: "invalid-argument", reason: "promote-beyond-root" },
  RANK_MISMATCH: { code: "shape-mismatch", reason: "rank" },
  RAW_COLUMN_NAME_REQUIRED: { code: "invalid-argument", reason: "raw-column-name" },
  RAW_RECORDS_UNSUPPORTED: { code: "unsupported", reason: "raw-records" },
  RECURSIVE_TYPE: { code: "invalid-argument", reason: "recursive-type" },
  REROOT_LEAF: { code: "schema-mismatch", reason: "reroot-leaf" },
  SHAPE_MISMATCH: { code: "shape-mismatch", reason: "expression-shape" },
  SIBLING_NOT_MESSAGE: { code: "schema-mismatch", reason: "sibling-not-message" },
  SLICE_NEEDS_BOUND: { code: "invalid-argument", reason: "slice-bound" },
  TRUNCATED: { code: "malformed-payload", reason: "truncated" },
  UNKNOWN_PAYLOAD_FORMAT: { code: "invalid-argument", reason: "payload-format" },
  UNSUPPORTED_FILE_FORMAT: { code: "unsupported", reason: "file-format" },
  UNSUPPORTED_PAYLOAD_FORMAT: { code: "unsupported", reason: "payload-format" },
};

/** Additional error codes by family, with their category. The dataset vectors treat truncated or damaged bytes as data loss. */
const others: Readonly<Partial<Record<Family, Readonly<Partial<Record<TfxioErrorCode, string>>>>>> = {
  dataset: {
    "truncated-record": "data-loss",
    "corrupt-record": "data-loss",
    "malformed-payload": "data-loss",
  },
};

/** Maps the categories of each family to our errors. Families without a handler have no table. */
export const errorCategories: Readonly<Partial<Record<Family, Readonly<Record<string, ErrorKey>>>>> = {
  "tfx-bsl": tfxBsl,
  dataset,
  struct2tensor,
};

/**
 * Returns the category of one of our errors, or undefined if the family has no category for it. An entry without a reason
 * matches every reason of its code that has no separate entry.
 */
export function categoryOf(family: Family, error: ErrorKey): string | undefined {
  const entries = Object.entries(errorCategories[family] ?? {}).filter(([, { code }]) => code === error.code);
  const exact = entries.find(([, { reason }]) => reason === error.reason);
  return (
    (exact ?? entries.find(([, { reason }]) => reason === undefined))?.[0] ?? others[family]?.[error.code]
  );
}
