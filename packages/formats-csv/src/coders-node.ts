/** Imports the decoder. Called when the first plan is made, so that importing the package stays cheap. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Imports the encoder. Called when the first writer is created. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
