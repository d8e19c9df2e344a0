import { UserFunctionError } from "@tfxio/wire";

/** Calls `onProgress`, if present. @throws {UserFunctionError} `user-function` when `onProgress` throws. */
export function reportProgress<Progress>(
  onProgress: ((progress: Progress) => void) | undefined,
  progress: Progress,
): void {
  try {
    onProgress?.(progress);
  } catch (cause) {
    throw new UserFunctionError(`onProgress failed: ${String(cause)}`, { operator: "onProgress", cause });
  }
}
