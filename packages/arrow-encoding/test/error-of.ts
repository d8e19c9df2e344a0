import { isTfxioError } from "@tfxio/wire";

/** Code and reason of what `run` throws, `code/reason`; undefined when it throws nothing. Other errors are thrown on. */
export function errorOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error)) return `${error.code}/${error.reason}`;
    throw error;
  }
  return undefined;
}
