// For those who check predicates and need no schema: this entry loads no protobuf.
export { assertPredicate } from "./predicate/check-predicate.js";
export type { Predicate } from "./predicate/predicate.js";
