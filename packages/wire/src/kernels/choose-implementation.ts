/** The chosen kernels and the reason for the choice. */
export interface Choice<K> {
  readonly kernels: K;
  readonly reason: string;
}

/**
 * Chooses the kernels that `createWasm` creates, or `typescript` if `createWasm` throws or `wanted` is `"typescript"`.
 * @param wanted Value of `TFXIO_KERNELS`, if it is set.
 */
export function implementationFor<K>(
  wanted: string | undefined,
  typescript: K,
  createWasm: () => K,
): Choice<K> {
  if (wanted === "typescript") return { kernels: typescript, reason: "TFXIO_KERNELS=typescript" };
  try {
    return { kernels: createWasm(), reason: "WebAssembly runs here" };
  } catch (error) {
    // A runtime throws if it lacks SIMD, if a policy forbids wasm, or if memory is exhausted. It may throw a non-Error.
    const why = error instanceof Error ? error.message : String(error);
    return { kernels: typescript, reason: `WebAssembly does not run here: ${why}` };
  }
}

/**
 * Returns the implementation that the environment selects. Other packages call this function for their own kernels.
 * `TFXIO_KERNELS=typescript` selects `typescript`, which is also the fallback if `createWasm` throws.
 */
export function chooseImplementation<K>(typescript: K, createWasm: () => K): Choice<K> {
  return implementationFor(environment("TFXIO_KERNELS"), typescript, createWasm);
}

/** Returns an environment variable, or undefined if it is not set. Browsers have no environment variables. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
