import { Random } from "@tfxio/wire";
import type { WasmModule } from "@tfxio/wire/kernels";
import { KernelPool } from "../../src/kernels/wasm/kernel-pool.js";
import { createTypescriptDecoder } from "../../src/kernels/typescript/typescript-kernel.js";
import { type CreateDecoder, decoderLog } from "./decoder-log.js";
import { type DrawnCase, drawCase, drawPlan } from "./draw-case.js";

const CASES_PER_TYPE = 12;

/** The first difference between two kernels (null if there is none), and the statuses that occurred. */
export interface Comparison {
  readonly difference: object | null;
  readonly statuses: ReadonlySet<string>;
}

/**
 * Finds the first of `numCases` random cases in which the kernel of a module differs from the TypeScript kernel. Rounds the
 * number of cases up to a multiple of 12.
 */
export async function firstDifference(module: WasmModule, numCases: number): Promise<Comparison> {
  const random = Random.of(1, 0);
  const createWasm: CreateDecoder = (plan, memoryLimit) => {
    const planned = new KernelPool(module, memoryLimit).borrow(plan);
    if (planned === null) throw new Error("there is no memory for an instance");
    return planned.decoder;
  };
  const statuses = new Set<string>();
  for (let left = numCases; left > 0; left -= CASES_PER_TYPE) {
    const plan = await drawPlan(random);
    for (let index = 0; index < CASES_PER_TYPE; index++) {
      const drawn = drawCase(plan, random);
      const found = decoderLog(createWasm, drawn);
      const expected = decoderLog((own) => createTypescriptDecoder(own), drawn);
      for (const entry of expected)
        for (const [status] of entry.matchAll(/"status":\d+/gu)) statuses.add(status);
      const at = expected.findIndex((entry, step) => entry !== found[step]);
      if (at < 0 && found.length === expected.length) continue;
      const difference = { before: expected[at - 1], found: found[at], expected: expected[at] };
      return { difference: { ...difference, proto: plan.type.proto, ...summary(drawn) }, statuses };
    }
  }
  return { difference: null, statuses };
}

function summary({ rules, memoryLimit, limits }: DrawnCase): object {
  return { rules, memoryLimit, limits };
}
