import { isTfxioError } from "@tfxio/wire";

/** Returns `code/reason` of the TfxioError that `run` throws; undefined if it does not throw. Rethrows other errors. */
export function errorOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error)) return `${error.code}/${error.reason}`;
    throw error;
  }
  return undefined;
}
