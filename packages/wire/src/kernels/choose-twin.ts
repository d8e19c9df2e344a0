/** Kernels and why they were chosen. */
export interface Choice<K> {
  readonly kernels: K;
  readonly reason: string;
}

/**
 * The twin in WebAssembly where it runs, else the one in TypeScript.
 * @param wanted the value of `TFXIO_KERNELS`
 */
export function chooseTwin<K>(wanted: string | undefined, typescript: K, createWasm: () => K): Choice<K> {
  if (wanted === "typescript") return { kernels: typescript, reason: "TFXIO_KERNELS=typescript" };
  try {
    return { kernels: createWasm(), reason: "WebAssembly runs here" };
  } catch (error) {
    // Whatever the runtime throws: no SIMD, a content security policy, no memory left.
    const why = error instanceof Error ? error.message : String(error);
    return { kernels: typescript, reason: `WebAssembly does not run here: ${why}` };
  }
}

/**
 * {@link chooseTwin} as the environment wants it, for kernels of other packages: `TFXIO_KERNELS=typescript` asks for that
 * implementation, and it is also chosen where `createWasm` throws.
 */
export function chooseImplementation<K>(typescript: K, createWasm: () => K): Choice<K> {
  return chooseTwin(environment("TFXIO_KERNELS"), typescript, createWasm);
}

/** A variable of the environment; undefined where there is none, as in browsers. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
