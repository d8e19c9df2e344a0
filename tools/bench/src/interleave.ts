import { collectGarbage } from "./collect-garbage.js";
import { rotated } from "./statistics.js";

/**
 * Runs every contender once per round. Each round begins with a different one, so that a drifting machine and the
 * state that a predecessor leaves affect all equally. A contender resolves to its time in seconds. Resolves to the
 * seconds of each contender, in the order of `contenders`.
 */
export async function interleave(
  contenders: readonly (() => Promise<number>)[],
  rounds: number,
  onRound: (round: number) => void,
): Promise<readonly (readonly number[])[]> {
  const seconds: number[][] = contenders.map(() => []);
  const order = contenders.map((_, index) => index);
  for (let round = 0; round < rounds; round++) {
    for (const index of rotated(order, round)) {
      collectGarbage();
      seconds[index]?.push((await contenders[index]?.()) ?? Number.NaN);
    }
    onRound(round);
  }
  return seconds;
}
