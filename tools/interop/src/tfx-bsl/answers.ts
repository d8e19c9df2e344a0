import { differenceOf } from "@tfxio-tools/conformance/difference";
import type { Json } from "./question.js";

/** Describes the first difference between two answers; undefined if they are equal. The text of an error is not compared. */
export function answerDifference(theirs: Json, ours: Json): string | undefined {
  const [theirError, ourError] = [theirs["error"], ours["error"]];
  if (theirError !== undefined && ourError !== undefined) return undefined;
  if (theirError !== undefined) return `we accept the input, but tfx_bsl rejects it: ${String(theirError)}`;
  if (ourError !== undefined) return `tfx_bsl accepts the input, but we reject it: ${String(ourError)}`;
  return differenceOf(theirs, ours);
}

/** Resolves to the result of a call, or to `{ error }` if it throws. */
export async function answerOf(run: () => Promise<Json> | Json): Promise<Json> {
  try {
    return await run();
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}
