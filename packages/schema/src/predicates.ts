// An entry point for code that needs predicates but no schema. It does not load protobuf.
export { assertPredicate } from "./predicate/check-predicate.js";
export type { Predicate } from "./predicate/predicate.js";
