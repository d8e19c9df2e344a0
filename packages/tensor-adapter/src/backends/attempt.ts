/** The backends of {@link loadBackend}, in the order in which it tries them. */
export type BackendName = "tfjs-node-gpu" | "tfjs-node" | "webgpu" | "wasm" | "cpu";

/**
 * Why a backend cannot be used.
 * - `wrong-runtime`: it exists in Node only, and this is not Node.
 * - `not-installed`: its package, or one that it needs, is not there.
 * - `addon-missing`: the package is there, its native addon was never built or downloaded.
 * - `addon-failed`: the addon is there and cannot be loaded, as when a system library is missing.
 * - `no-adapter`: WebGPU is there and has no usable device.
 * - `failed`: anything else; `detail` says what was thrown.
 */
export type BackendMiss =
  | "wrong-runtime"
  | "not-installed"
  | "addon-missing"
  | "addon-failed"
  | "no-adapter"
  | "failed";

/** What came of trying one backend. */
export interface BackendAttempt {
  readonly name: BackendName;
  /** The optional package that brings it. */
  readonly packageName: string;
  readonly usable: boolean;
  /** Absent when usable. */
  readonly reason?: BackendMiss;
  /** One line: what runs, or what was found instead and what would help. */
  readonly detail: string;
}

/** A backend that cannot be used, thrown where that is found out and turned into a {@link BackendAttempt}. */
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

/** What was thrown as a reason and one line. `packageName` is what was imported. */
export function missOf(error: unknown, packageName: string): BackendMissError {
  if (error instanceof BackendMissError) return error;
  const message = messageOf(error);
  const line = message.replaceAll(/\s+/g, " ").trim();
  if (isMissingModule(error, message)) {
    const missing = /['"]([^'"]+)['"]/.exec(message)?.[1] ?? packageName;
    return missing === packageName
      ? new BackendMissError("not-installed", `not installed: npm install ${packageName}`, error)
      : new BackendMissError("not-installed", `installed, but "${missing}" is not there: ${line}`, error);
  }
  if (/native addon module .*can not be found/s.test(message)) {
    const detail = `installed without its native addon: npm rebuild ${packageName} --build-addon-from-source`;
    return new BackendMissError("addon-missing", detail, error);
  }
  if (codeOf(error) === "ERR_DLOPEN_FAILED") {
    return new BackendMissError("addon-failed", `its native addon cannot be loaded: ${line}`, error);
  }
  return new BackendMissError("failed", line, error);
}

function messageOf(error: unknown): string {
  // Errors of another realm (a worker, jest's vm) are no instances of this one's Error.
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** Node says it by code; browsers and bundlers only in words. */
function isMissingModule(error: unknown, message: string): boolean {
  const code = codeOf(error);
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return true;
  return /failed to resolve module specifier|could not resolve ["']|cannot find module ["']/i.test(message);
}
