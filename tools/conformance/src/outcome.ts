/** The outcome of one case. */
export type Outcome =
  | { readonly status: "passed" }
  | { readonly status: "failed"; readonly detail: string }
  | { readonly status: "skipped"; readonly reason: string };

/** Thrown by a handler if the project does not implement the subject of a case yet. The case is then skipped. */
export class NotBuiltYet extends Error {
  override readonly name = "NotBuiltYet";
}

/** The outcome of a case that passed. */
export const passed: Outcome = { status: "passed" };

/** Returns `passed` if there is no difference, otherwise a failure with the difference as its detail. */
export function outcomeOf(difference: string | undefined): Outcome {
  return difference === undefined ? passed : { status: "failed", detail: difference };
}
