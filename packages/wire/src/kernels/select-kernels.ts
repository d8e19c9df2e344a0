import type { Kernels } from "./kernels.js";
import { typescriptKernels } from "./typescript-kernels.js";

/** Which kernels run, and why these. */
export interface KernelInfo {
  readonly name: Kernels["name"];
  readonly reason: string;
}

/** The kernels to use; chosen at the first call. `TFXIO_KERNELS=typescript` in the environment asks for that twin. */
export function kernels(): Kernels {
  return typescriptKernels;
}

/** What {@link kernels} has chosen. */
export function kernelInfo(): KernelInfo {
  const { name } = kernels();
  const reason =
    environment("TFXIO_KERNELS") === "typescript"
      ? "TFXIO_KERNELS=typescript"
      : "this version has the TypeScript kernels only";
  return { name, reason };
}

/** A variable of the environment; undefined where there is none, as in browsers. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
