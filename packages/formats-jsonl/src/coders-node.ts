/** Imports the decoder. Called only when a read is planned, so that importing the package stays cheap. */
export function loadDecode(): Promise<typeof import("./decode.js")> {
  return import("./decode.js");
}

/** Imports the encoder. Called only when a writer is created. */
export function loadEncode(): Promise<typeof import("./encode.js")> {
  return import("./encode.js");
}
