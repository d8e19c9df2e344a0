import { isTfxioError, type TfxioError, type TfxioErrorCode } from "@tfxio/wire";

/** One requirement of the format contract. Pass `name` and `run` to any test runner. */
export interface FormatCheck {
  readonly name: string;
  /** @throws {CheckFailure} if the requirement is not met, and any unexpected error of the format. */
  run(this: void): Promise<void>;
}

/** A violation of the format contract. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
}

/** Asserts a condition. @throws {CheckFailure} with `message` unless `condition` is true. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CheckFailure(message);
}

/** Returns the error with which `run` rejects. @throws {CheckFailure} if it does not reject. */
export async function rejectionOf(run: () => Promise<unknown>, what: string): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new CheckFailure(`${what} must fail, but succeeded`);
}

/** Returns the `TfxioError` with which `run` rejects. @throws {CheckFailure} if it succeeds or rejects with a different error. */
export async function codedRejectionOf(
  run: () => Promise<unknown>,
  what: string,
  ...codes: readonly TfxioErrorCode[]
): Promise<TfxioError> {
  const error = await rejectionOf(run, what);
  if (isTfxioError(error, ...codes)) return error;
  const expected = codes.length === 0 ? "a TfxioError" : codes.join(" or ");
  throw new CheckFailure(`${what} must fail with ${expected}, but failed with ${String(error)}`);
}
