/** The outcome of one case. */
export type Outcome =
  | { readonly status: "passed" }
  | { readonly status: "failed"; readonly detail: string }
  | { readonly status: "skipped"; readonly reason: string };

/** Thrown by a handler for a case whose subject this project has not built yet; the case counts as skipped. */
export class NotBuiltYet extends Error {
  override readonly name = "NotBuiltYet";
}

export const passed: Outcome = { status: "passed" };

/** Passed if there is no difference, else failed with the difference as the detail. */
export function outcomeOf(difference: string | undefined): Outcome {
  return difference === undefined ? passed : { status: "failed", detail: difference };
}
