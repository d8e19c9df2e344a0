import { SourceError } from "../../errors.js";
import { sourceChanged } from "../source-changed.js";

/** The identity of the file behind a URL, from response headers. It shows whether the file was replaced. */
export interface HttpIdentity {
  /** The ETag if it is strong. A weak ETag may stay the same while bytes change. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Stored length in bytes. Undefined if the response is encoded or does not state the length. */
  readonly byteLength: number | undefined;
  /** `Content-Encoding` of the response, or `identity`. */
  readonly encoding: string;
}

/** Reads the identity from the headers of a response for the whole file, for a part of it, or for a range past its end. */
export function identityOf({ status, headers }: Response): HttpIdentity {
  const encoding = headers.get("content-encoding") ?? "identity";
  const etag = headers.get("etag") ?? undefined;
  // "bytes 0-9/100" for a part, "bytes */100" for an unsatisfiable range.
  const text =
    status === 206 || status === 416
      ? /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1]
      : headers.get("content-length");
  return {
    etag: etag?.startsWith('"') ? etag : undefined,
    lastModified: headers.get("last-modified") ?? undefined,
    byteLength: encoding === "identity" && text && /^\d+$/.test(text) ? Number(text) : undefined,
    encoding,
  };
}

/** Returns the {@link ByteSource.version}: the ETag, or else the length and modification time. Undefined if unknown. */
export function versionOf({ etag, lastModified, byteLength }: HttpIdentity): string | undefined {
  if (etag !== undefined) return etag;
  return lastModified === undefined || byteLength === undefined ? undefined : `${byteLength} ${lastModified}`;
}

/**
 * Asserts that `found` does not contradict the identity of the file when it was opened.
 * @throws {SourceError} `io-failed` (`source-changed`).
 */
export function assertSameFile(uri: string, opened: HttpIdentity, found: HttpIdentity): void {
  const fields = [
    // Servers use a different ETag for each encoding of a file.
    ...(opened.encoding === found.encoding ? (["etag"] as const) : []),
    "lastModified",
    "byteLength",
  ] as const;
  for (const field of fields) {
    const [expected, actual] = [opened[field], found[field]];
    if (expected === undefined || actual === undefined) continue;
    if (expected !== actual) throw sourceChanged(uri, `${names[field]} ${expected}`, `${actual}`);
    if (field === "etag" && opened.byteLength === found.byteLength) return;
  }
}

const names = { etag: "ETag", lastModified: "Last-Modified", byteLength: "length" } as const;

/** Returns the error for a body whose length differs from the announced one. */
export function lengthError(uri: string, expected: number, found: string): SourceError {
  return new SourceError("io-failed", `${uri}: the server announced ${expected} bytes but sent ${found}.`, {
    uri,
    reason: "http-length",
  });
}
