/** Name of a backend that {@link loadBackend} can load. The names are in the default order of attempts. */
export type BackendName = "tfjs-node-gpu" | "tfjs-node" | "webgpu" | "wasm" | "cpu";

/**
 * The reason why a backend cannot be used.
 * - `wrong-runtime`: the backend runs only in Node and this is not Node, or this browser has no WebGPU.
 * - `not-installed`: the backend's package, or another package that it needs, is missing.
 * - `addon-missing`: the package is installed, but its native addon was never built or downloaded.
 * - `addon-failed`: the addon cannot be loaded, for example because a system library is missing.
 * - `no-adapter`: WebGPU is available but has no usable device.
 * - `failed`: anything else; `detail` has the error.
 */
export type BackendMiss =
  | "wrong-runtime"
  | "not-installed"
  | "addon-missing"
  | "addon-failed"
  | "no-adapter"
  | "failed";

/** The outcome of trying one backend. */
export interface BackendAttempt {
  readonly name: BackendName;
  /** The optional package that provides the backend. */
  readonly packageName: string;
  readonly usable: boolean;
  /** Absent if the backend is usable. */
  readonly reason?: BackendMiss;
  /** One line that describes the running backend, or the problem and, where known, its remedy. */
  readonly detail: string;
}

/** Thrown for an unusable backend, and turned into a {@link BackendAttempt}. */
export class BackendMissError extends Error {
  override readonly name = "BackendMissError";
  constructor(
    readonly reason: BackendMiss,
    detail: string,
    cause?: unknown,
  ) {
    super(detail, { cause });
  }
}

/** Converts an error from loading `packageName` to a reason and a one-line message. Returns a `BackendMissError` unchanged. */
export function missOf(error: unknown, packageName: string): BackendMissError {
  if (error instanceof BackendMissError) return error;
  const message = messageOf(error);
  const line = message.replaceAll(/\s+/g, " ").trim();
  if (isMissingModule(error, message)) {
    const missing = /['"]([^'"]+)['"]/.exec(message)?.[1] ?? packageName;
    return missing === packageName
      ? new BackendMissError("not-installed", `not installed (npm install ${packageName})`, error)
      : new BackendMissError("not-installed", `installed, but "${missing}" is missing: ${line}`, error);
  }
  if (/native addon module .*can not be found/s.test(message)) {
    const detail = `installed without its native addon (npm rebuild ${packageName} --build-addon-from-source)`;
    return new BackendMissError("addon-missing", detail, error);
  }
  if (codeOf(error) === "ERR_DLOPEN_FAILED") {
    return new BackendMissError("addon-failed", `its native addon cannot be loaded: ${line}`, error);
  }
  return new BackendMissError("failed", line, error);
}

function messageOf(error: unknown): string {
  // Errors from another realm, such as jest's vm, are not instances of this realm's Error.
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** True if the error means that a module is missing. Node sets an error code; browsers and bundlers give only a message. */
function isMissingModule(error: unknown, message: string): boolean {
  const code = codeOf(error);
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return true;
  return /failed to resolve module specifier|could not resolve ["']|cannot find module ["']/i.test(message);
}
