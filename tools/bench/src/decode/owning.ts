/** Pairs of subjects that differ only in whether their batches own their memory, or borrow it until they are released. */
export const owningPairs = [
  { about: "decoders, from memory", owned: "ours:wasm", leased: "ours:wasm-leased" },
  { about: "`openTfxio`, from a file", owned: "ours:file", leased: "ours:file-leased" },
] as const;
