import type { AnyCasts } from "../kernels/typescript/any-casts.js";
import type { MemoryBudget } from "../kernels/memory-budget.js";

/** Options for which protobuf and struct2tensor differ. */
export interface DecodeRules {
  readonly singularMessage: "merge" | "last";
  readonly oneof: "last" | "independent";
  readonly anyEmptyValue: "present" | "absent";
}

/** Unfinished casts of an Any field, whose column is created after the columns below it. */
export type AnyDraft = { -readonly [Key in keyof AnyCasts]: AnyCasts[Key] };

/** Parameters of a compilation. */
export interface Compilation {
  readonly rules: DecodeRules;
  readonly budget: MemoryBudget;
  readonly anys: AnyDraft[];
}
