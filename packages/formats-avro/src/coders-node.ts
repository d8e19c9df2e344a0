/** Loads the decoder. Called only when a reader is opened, so a program without readers never loads the decoder. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Loads the encoder. Called only when a writer is created, so a program without writers never loads the encoder. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
