import { differenceOf } from "@tfxio-tools/conformance/difference";
import type { Json } from "./question.js";

/** Describes the first difference between two answers. Two rejections agree, whatever their messages. */
export function answerDifference(theirs: Json, ours: Json): string | undefined {
  const [theirError, ourError] = [theirs["error"], ours["error"]];
  if (theirError !== undefined && ourError !== undefined) return undefined;
  if (theirError !== undefined) return `tfx_bsl refuses, we answer: ${String(theirError)}`;
  if (ourError !== undefined) return `we refuse, tfx_bsl answers: ${String(ourError)}`;
  return differenceOf(theirs, ours);
}

/** The result of a call, or `{ error }` when it throws. */
export async function answerOf(run: () => Promise<Json> | Json): Promise<Json> {
  try {
    return await run();
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}
