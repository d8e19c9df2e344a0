/** Imports the decoder. The caller waits until it makes the first plan, so that importing the package stays cheap. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Imports the encoder. The caller waits until it creates the first writer. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
