/** Maximum number of bytes per call of `fromCharCode`. Engines limit the number of arguments of a call. */
const CHUNK = 0x8000;

/** Encodes bytes as base64 (RFC 4648 section 4, with padding). */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}
