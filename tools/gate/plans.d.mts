/** A step as run-steps.mjs runs it. */
interface Step {
  readonly title: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Tests on random input. `check` draws more of it than `test`. */
export const fuzz: readonly string[];
/** Test files and folders that only `check` runs. */
export const slow: readonly { readonly title: string; readonly files: string }[];
/** The steps of each command of the root package.json. */
export const plans: Readonly<Record<string, readonly Step[]>>;
