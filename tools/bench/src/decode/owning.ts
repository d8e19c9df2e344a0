/** Pairs of subjects that differ only in whether batches own their memory, or lease it until the caller releases it. */
export const owningPairs = [
  { about: "decoders, from memory", owned: "ours:wasm", leased: "ours:wasm-leased" },
  { about: "`openTfxio`, from a file", owned: "ours:file", leased: "ours:file-leased" },
] as const;
