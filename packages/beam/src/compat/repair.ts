import type { Sdk } from "./sdk.js";

/** A defect of the SDK and its repair. */
export interface Repair {
  /** The defect in a few words, for a log. */
  readonly defect: string;
  apply(sdk: Sdk): void;
}
