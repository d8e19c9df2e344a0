import type { AnyCasts } from "../kernels/typescript/any-casts.js";
import type { MemoryBudget } from "../kernels/memory-budget.js";

/** Where this implementation and struct2tensor differ, and may be made equal. */
export interface DecodeRules {
  readonly singularMessage: "merge" | "last";
  readonly oneof: "last" | "independent";
  readonly anyEmptyValue: "present" | "absent";
}

/** Its column is made after what is below it. */
export type AnyDraft = { -readonly [Key in keyof AnyCasts]: AnyCasts[Key] };

/** What a plan is compiled with. */
export interface Compilation {
  readonly rules: DecodeRules;
  readonly budget: MemoryBudget;
  readonly anys: AnyDraft[];
}
