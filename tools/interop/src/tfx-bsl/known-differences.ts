import type { ListedDifference } from "./listed-differences.js";

/** Returns true if a difference is between an integer and the same integer truncated to its low 32 bits. */
function isCut(difference: string): boolean {
  const integers = [...difference.matchAll(/(?:expected|got) "(-?\d+)"/g)].map(([, text]) =>
    BigInt(text ?? 0),
  );
  const [one = 0n, other = 0n] = integers;
  return integers.length === 2 && (BigInt.asIntN(32, one) === other || BigInt.asIntN(32, other) === one);
}

/**
 * The known differences from tfx_bsl 1.21, by subject. docs/parity.md explains the deliberate differences. A run fails if it does
 * not see every entry, so the test vectors or `fixed-cases.ts` must show each of them.
 */
export const knownDifferences: Readonly<Record<string, ListedDifference>> = {
  "int64 values of steps": {
    reason: "tfx_bsl truncates them to 32 bits, and we keep all 64 bits",
    isShownBy: ({ area, what, difference }) =>
      isCut(difference) &&
      (what.endsWith("derived_int64_above_32_bits") ||
        (area === "tf.SequenceExamples" && difference.includes(".items.items.values["))),
  },
  "uneven rows of a dense column": {
    reason: "tfx_bsl checks only the total number of values and regroups them, and we reject the rows",
    isShownBy: ({ what, difference }) =>
      what.endsWith("derived_dense_row_lengths_differ_but_total_fits") ||
      /ConversionError: .* has \d+ values; shape \[[\d, ]*\] takes \d+\.$/.test(difference),
  },
  "sparse rows with gaps": {
    reason: "tfx_bsl closes the gaps in a list column, and we reject the rows",
    isShownBy: ({ difference }) =>
      /has a value at index \d+, but in a list its position would be \d+/.test(difference),
  },
  "column names with a NUL": {
    reason: "tfx_bsl truncates them at the NUL when it passes them to Python",
    isShownBy: ({ area, difference }) =>
      /\.name: expected "(.*)", got "\1\\u0000/.test(difference) ||
      // The feature `a\0b`, and its truncated name.
      (area.endsWith("encoded") &&
        difference.includes('expected "CgkKBwoBYRICCgA=", got "CgsKCQoDYQBiEgIKAA=="')),
  },
  "schemas without features": {
    reason:
      "tfx_bsl's decoder of tf.SequenceExamples treats an empty schema, which has zero bytes, as no schema",
    isShownBy: ({ area, what, difference }) =>
      area === "tf.SequenceExamples" && what === "batch 0 with a schema" && difference.endsWith("got 0 []"),
  },
  "lists whose length is not a multiple of the uniform row length": {
    reason: "tfx_bsl's encoder divides them anyway, and we reject them",
    isShownBy: ({ what }) => what.endsWith("fixed uniform length"),
  },
  "null in a set of byte strings": {
    reason: "tfx_bsl does not find null if it is the first entry",
    isShownBy: ({ what }) => what.endsWith("fixed null in a set"),
  },
  "slices of batches": {
    reason: "tfx_bsl rejects them for ragged tensors, and we accept them",
    isShownBy: ({ what }) => what.endsWith("fixed slice"),
  },
  "features whose representation cannot be inferred, but which have an explicit one": {
    reason: "tfx_bsl rejects the schema, and we use the explicit tensor",
    isShownBy: ({ what, difference }) =>
      what.includes("/InferTensorRepresentationsFromMixedSchema ") &&
      /^expected any TfxioError, got a result; tfx_bsl rejects the input: ValueError: (Feature \S+ had shape|sparse_feature \S+ referred)/.test(
        difference,
      ),
  },
};
