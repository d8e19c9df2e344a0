// For code that needs predicates but no schema: this entry does not load protobuf.
export { assertPredicate } from "./predicate/check-predicate.js";
export type { Predicate } from "./predicate/predicate.js";
