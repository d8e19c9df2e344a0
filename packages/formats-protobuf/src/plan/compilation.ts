import type { AnyCasts } from "../kernels/typescript/any-casts.js";
import type { MemoryBudget } from "../kernels/memory-budget.js";

/** The options for cases in which protobuf and struct2tensor differ. See {@link ProtobufOptions}. */
export interface DecodeRules {
  readonly singularMessage: "merge" | "last";
  readonly oneof: "last" | "independent";
  readonly anyEmptyValue: "present" | "absent";
}

/**
 * Unfinished casts of an Any field. `owner` is set last, because the column of the field is created after the columns below it.
 */
export type AnyDraft = { -readonly [Key in keyof AnyCasts]: AnyCasts[Key] };

/** State that all steps of one compilation share. */
export interface Compilation {
  readonly rules: DecodeRules;
  /** Limits the memory of all columns of the plan together. */
  readonly budget: MemoryBudget;
  /** Filled by the compilation, outer Anys before the Anys inside them. */
  readonly anys: AnyDraft[];
}
