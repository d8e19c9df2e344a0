import { SourceError } from "../../errors.js";
import { sourceChanged } from "../source-changed.js";

/** What a response says about the file behind a URL: enough to notice that another file has taken its place. */
export interface HttpIdentity {
  /** Strong ones only: a weak one may stay while bytes change. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** As stored; undefined when the response is encoded, or does not tell. */
  readonly byteLength: number | undefined;
  readonly encoding: string;
}

/** What the headers of a response say, be it of the whole file, a part of it, or a range beyond its end. */
export function identityOf({ status, headers }: Response): HttpIdentity {
  const encoding = headers.get("content-encoding") ?? "identity";
  const etag = headers.get("etag") ?? undefined;
  // "bytes 0-9/100" of a part, "bytes */100" where nothing is at the range.
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

/** See {@link ByteSource.version}: the ETag, else modification time and length. */
export function versionOf({ etag, lastModified, byteLength }: HttpIdentity): string | undefined {
  if (etag !== undefined) return etag;
  return lastModified === undefined || byteLength === undefined ? undefined : `${byteLength} ${lastModified}`;
}

/** @throws {SourceError} `io-failed` (`source-changed`) when `found` contradicts what the source was opened with. */
export function assertSameFile(uri: string, opened: HttpIdentity, found: HttpIdentity): void {
  const fields = [
    // Servers give each encoding of a file an ETag of its own.
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

/** The error for a body of another length than its headers announced. */
export function lengthError(uri: string, expected: number, found: string): SourceError {
  return new SourceError("io-failed", `${uri}: the server announced ${expected} bytes and sent ${found}.`, {
    uri,
    reason: "http-length",
  });
}
