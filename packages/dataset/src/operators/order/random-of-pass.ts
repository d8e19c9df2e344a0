import { Random } from "@tfxio/wire";
import type { PassCount } from "../../checkpoint/pass-count.js";
import type { Pass } from "../../plan.js";

/**
 * Returns the generator for the order of a pass: `Random.of(seed, k)` for pass k, or `Random.of(seed, 0)` without reshuffling.
 */
export function randomOfPass(passCount: PassCount, { log }: Pass, reshuffleEachIteration: boolean): Random {
  if (reshuffleEachIteration) return Random.of(passCount.seed, log.take(passCount, "shuffle"));
  if (passCount.isDrawn) log.use(passCount);
  return Random.of(passCount.seed, 0);
}
