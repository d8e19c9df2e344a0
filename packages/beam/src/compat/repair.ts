import type { Sdk } from "./sdk.js";

/** A defect of the SDK and its repair. */
export interface Repair {
  /** What is wrong without it, for a log. */
  readonly defect: string;
  apply(sdk: Sdk): void;
}
