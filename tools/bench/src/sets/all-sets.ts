import type { BenchSet } from "./bench-set.js";
import { criteo, criteoShuffled } from "./criteo.js";
import { ragged } from "./ragged.js";
import { seq } from "./seq.js";
import { taxi } from "./taxi.js";
import { wide, wideTail } from "./wide.js";

/** The sets of the published tables, in the order of their columns. */
export const allSets: readonly BenchSet[] = [criteo, criteoShuffled, taxi, wide, wideTail, ragged, seq];
