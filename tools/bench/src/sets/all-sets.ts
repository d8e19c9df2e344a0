import type { BenchSet } from "./bench-set.js";
import { criteo, criteoShuffled } from "./criteo.js";
import { ragged } from "./ragged.js";
import { seq } from "./seq.js";
import { taxi } from "./taxi.js";
import { wide, wideTail } from "./wide.js";

/** All sets, in the order of the columns of the published tables. */
export const allSets: readonly BenchSet[] = [criteo, criteoShuffled, taxi, wide, wideTail, ragged, seq];
