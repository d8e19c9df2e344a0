import type { Sdk } from "./sdk.js";

/** A defect of the SDK and its repair. */
export interface Repair {
  /** A short description of the defect, for logs. */
  readonly defect: string;
  apply(sdk: Sdk): void;
}
