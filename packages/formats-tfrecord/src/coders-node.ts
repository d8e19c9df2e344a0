/**
 * Loads the decoders of Examples and SequenceExamples. Called when a plan for either is made, so that programs that only write
 * never load them.
 */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Loads the decoder of raw records. Called when a plan for raw records is made. */
export function loadRaw(): Promise<typeof import("./raw/plan-raw-records.js")> {
  return import("./raw/plan-raw-records.js");
}

/** Loads the encoders. Called when a writer is created. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}

/** Loads the code that divides files and reads indexes. Called when a file is divided or read by record number. */
export function loadIndex(): Promise<typeof import("./record-index/file-index.js")> {
  return import("./record-index/file-index.js");
}
