import { isTfxioError } from "@tfxio/wire";

/** Code and reason of the error that `run` throws, `code/reason`; undefined when it does not throw. Rethrows other errors. */
export function errorOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error)) return `${error.code}/${error.reason}`;
    throw error;
  }
  return undefined;
}
