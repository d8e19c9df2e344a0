/** Loads the decoder, with the first plan. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Loads the encoder, with the first writer. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
