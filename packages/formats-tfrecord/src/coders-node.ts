/** Loads the decoders, at the first plan. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Loads the decoder of raw records, at the first plan for them. */
export function loadRaw(): Promise<typeof import("./raw/plan-raw-records.js")> {
  return import("./raw/plan-raw-records.js");
}

/** Loads the encoders, at the first writer. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}

/** Loads the search for cut positions and indexes, at the first file to be divided or read by number. */
export function loadIndex(): Promise<typeof import("./record-index/file-index.js")> {
  return import("./record-index/file-index.js");
}
