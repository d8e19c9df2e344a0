/** Loads the decoder. Called only when a reader is opened, so that programs that only write never load it. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Loads the encoder. Called only when a writer is created, so that programs that only read never load it. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
