/** Loads the decoder. Called only when a read is planned, so that a program that never reads does not load the decoder. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Loads the encoder. Called only when a writer or an encoder is created. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}

/** Loads the code that finds message types in descriptors and parses `.proto` files. */
export function loadDescriptors(): Promise<typeof import("./descriptor/index.js")> {
  return import("./descriptor/index.js");
}
