import type { Sdk } from "./sdk.js";

/** A defect of the SDK and its repair. */
export interface Repair {
  /** A short description of the defect, for logs. */
  readonly defect: string;
  /** Repairs the SDK in place. Must be called only once, before any worker or pipeline is created. */
  apply(sdk: Sdk): void;
}
