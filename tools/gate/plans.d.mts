/** A step that run-steps.mjs runs. */
interface Step {
  readonly title: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Tests on random input. `check` runs them with more cases than `test`. */
export const fuzz: readonly string[];
/** Test files and folders that only `check` runs. */
export const slow: readonly { readonly title: string; readonly files: string }[];
/** The steps of each command of the root package.json. */
export const plans: Readonly<Record<string, readonly Step[]>>;
