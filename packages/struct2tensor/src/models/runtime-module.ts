import { UnsupportedError } from "@tfxio/wire";
import { membersOf } from "@tfxio/wire/checks";
import { assertRuntime, messageOf, type ModelRuntime } from "./query-model.js";

/**
 * Imports a module, and returns the runtime that it exports as `models`. If the export is a function, calls it.
 * @param url as in {@link ModelRuntime.url}.
 * @throws {UnsupportedError} `unsupported` (`model-runtime`) if the module cannot be imported here or has no such export.
 * @throws {ArgumentError} `invalid-argument` if the export is not a runtime. Errors of the function pass through.
 */
export async function importRuntime(url: string): Promise<ModelRuntime> {
  let exported: unknown;
  try {
    exported = membersOf(await import(/* webpackIgnore: true */ /* @vite-ignore */ url))["models"];
  } catch (cause) {
    throw noRuntime(`${url} cannot be imported there: ${messageOf(cause)}`, cause);
  }
  if (exported === undefined) throw noRuntime(`${url} has no export "models"`);
  const runtime = (typeof exported === "function" ? await exported() : exported) as ModelRuntime;
  assertRuntime(runtime);
  return { ...runtime, url };
}

/** Creates the error for models that another thread or process cannot load. @param problem the reason, without a full stop. */
export function noRuntime(problem: string, cause?: unknown): UnsupportedError {
  return new UnsupportedError(
    `The models of the view cannot be loaded in another thread or process: ${problem}.`,
    {
      reason: "model-runtime",
      feature: "models in other threads and processes",
      cause,
    },
  );
}
