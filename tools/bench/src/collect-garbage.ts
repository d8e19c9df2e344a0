import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects all garbage now, so that no subject pays for the garbage of the subject before it. */
export const collectGarbage = runInNewContext("gc") as () => void;
