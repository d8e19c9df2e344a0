/** Loads the decoder when the first reader is opened, so a program without readers never loads it. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Loads the encoder when the first writer is created, so a program without writers never loads it. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
