import type { Base64Bytes } from "./plain-value.js";

// A byte order mark is part of the text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** `fromCharCode` takes a limited number of arguments. */
const CHUNK = 0x8000;

/** Bytes as text where they are UTF-8, else as base64. */
export function plainBytes(bytes: Uint8Array): string | Base64Bytes {
  try {
    return decoder.decode(bytes);
  } catch {
    return { base64: toBase64(bytes) };
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}
