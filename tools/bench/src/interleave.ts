import { collectGarbage } from "./collect-garbage.js";
import { rotated } from "./statistics.js";

/**
 * Runs every contender once per round, each after a garbage collection. The order rotates by one contender from round to round,
 * so that changes in the machine's speed affect all contenders alike.
 * @param contenders Functions that each resolve to the seconds to record.
 * @param onRound Called after each round with its index, from 0.
 * @returns Seconds by contender, in the order of `contenders`, then by round.
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
