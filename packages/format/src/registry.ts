import { ArgumentError, assertByteSource, type ByteSource, decompressed } from "@tfxio/wire";
import { anAbortSignal, assertOptions, unusableArgument } from "@tfxio/wire/checks";
import { assertFormat } from "./guard/check-definition.js";
import type { Format } from "./format.js";
import { contentName, extensionName } from "./looks-like.js";
import { SNIFF_BYTES, type SniffResult } from "./sniff-result.js";

/**
 * A set of formats from which a format is chosen by id, name or content. There is no global registry; each caller creates its
 * own.
 */
export interface FormatRegistry {
  /** The formats, in the order of registration. Frozen. */
  readonly formats: readonly Format[];
  /**
   * Returns the format with this id.
   * @throws {ArgumentError} `unknown-format` (`unknown-id`). The message lists the known ids.
   */
  get(id: string): Format;
  /**
   * Returns the format for a file to be written. It is the format with the longest extension that `name` ends with.
   * @throws {ArgumentError} `unknown-format` (`undetected`, `ambiguous`).
   */
  named(name: string): Format;
  /**
   * Finds the format of a source. If only one format has the longest extension that the source's name ends with, returns that
   * format. Otherwise, the first bytes decide among the formats that share this extension, or among all formats if the name has
   * no known extension. If the source is gzipped, its first bytes are decompressed for this. Returns the only format that
   * recognizes the bytes, or else the only format that considers them likely to be its own.
   * @throws {ArgumentError} `unknown-format` (`undetected`, `ambiguous`). Also throws the errors that the source throws.
   */
  detect(source: ByteSource, options?: { readonly signal?: AbortSignal | undefined }): Promise<Format>;
}

/**
 * Creates a registry of `formats`, in this order.
 * @throws {ArgumentError} `invalid-argument`: `format-definition` for a duplicate id or a value that is not a format,
 *   `contract-version` for a format that targets an unsupported version of the contract.
 */
export function createFormatRegistry(...formats: readonly Format[]): FormatRegistry {
  const byId = new Map<string, Format>();
  for (const format of formats) {
    assertFormat(format);
    const { id } = format;
    if (byId.has(id)) {
      throw unusableArgument("formats", `must have distinct ids, found "${id}" twice`, {
        reason: "format-definition",
      });
    }
    byId.set(id, format);
  }
  const listed = Object.freeze([...byId.values()]);

  return Object.freeze<FormatRegistry>({
    formats: listed,
    get(id) {
      const format = byId.get(id);
      if (format !== undefined) return format;
      throw unknownFormat("unknown-id", `Unknown format "${id}"; known formats: ${idsOf(listed)}.`);
    },
    named(name) {
      const found = longestExtension(listed, name);
      if (found.length === 1) return found[0]!;
      if (found.length > 1)
        throw unknownFormat(
          "ambiguous",
          `${name} matches several formats: ${idsOf(found)}; choose one with the option \`format\`.`,
        );
      const [plain] = longestExtension(listed, name.replace(/\.gz$/i, ""));
      if (plain !== undefined) {
        throw unknownFormat(
          "undetected",
          `${name}: files of the format ${plain.id} must not be gzipped; omit .gz.`,
        );
      }
      const looks = extensionName(fileName(name));
      if (looks !== undefined) throw unregistered(`By its name, ${name}`, looks, listed);
      throw unknownFormat("undetected", `${name} has no known extension; known formats: ${idsOf(listed)}.`);
    },
    async detect(source, options = {}) {
      assertByteSource(source);
      assertOptions("detect", options, { signal: anAbortSignal });
      const { signal } = options;
      signal?.throwIfAborted();
      const named = longestExtension(listed, source.uri);
      if (named.length === 1) return named[0]!;
      // If several formats share the extension, the content decides between these formats only.
      const candidates = named.length > 1 ? named : listed;
      const head = await readHead(source, signal);
      const answers = candidates.map((format) => ({ format, answer: format.sniff?.(head) ?? false }));
      const giving = (wanted: SniffResult): readonly Format[] =>
        answers.filter(({ answer }) => answer === wanted).map(({ format }) => format);
      const sure = giving(true);
      const recognized = sure.length > 0 ? sure : giving("likely");
      if (recognized.length === 1) return recognized[0]!;
      if (recognized.length > 1 || named.length > 1) {
        throw unknownFormat(
          "ambiguous",
          `${source.uri} matches several formats: ${idsOf(recognized.length > 1 ? recognized : named)}; ` +
            "choose one with the option `format`.",
        );
      }
      const content = contentName(head);
      const looks = content ?? extensionName(fileName(source.uri));
      if (looks !== undefined) {
        throw unregistered(content === undefined ? `By its name, ${source.uri}` : source.uri, looks, listed);
      }
      throw unknownFormat(
        "undetected",
        `${source.uri} has no known extension and ${describe(head)}; known formats: ${idsOf(listed)}.`,
      );
    },
  });
}

/** Returns the formats that have the longest extension that the name ends with. Empty if there is none. */
function longestExtension(formats: readonly Format[], uri: string): readonly Format[] {
  const name = fileName(uri);
  let longest = 0;
  let found: Format[] = [];
  for (const format of formats) {
    for (const extension of format.extensions) {
      if (!name.endsWith(extension) || extension.length < longest) continue;
      if (extension.length > longest) found = [];
      longest = extension.length;
      found.push(format);
    }
  }
  return found;
}

/**
 * Returns a name in lower case, without its shard number. For a URL, also removes the query and fragment; paths may contain `?`
 * and `#`.
 */
function fileName(uri: string): string {
  const path = /^[a-z][a-z0-9+.-]+:\/\//i.test(uri) ? uri.replace(/[?#].*$/s, "") : uri;
  return path.toLowerCase().replace(/-\d{5}-of-\d{5}(?=(\.gz)?$)/, "");
}

/** Reads the first uncompressed bytes of a source, at most {@link SNIFF_BYTES}. */
async function readHead(source: ByteSource, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const head = new Uint8Array(SNIFF_BYTES);
  let length = 0;
  for await (const chunk of decompressed(source, { compression: "auto", signal })) {
    const part = chunk.subarray(0, SNIFF_BYTES - length);
    head.set(part, length);
    length += part.length;
    if (length === SNIFF_BYTES) break;
  }
  return head.subarray(0, length);
}

function describe(head: Uint8Array): string {
  if (head.length === 0) return "is empty";
  const hex = Array.from(head.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0"));
  return `begins with the bytes ${hex.join(" ")}`;
}

/** Creates the error for data of a known kind that no format in the registry supports. */
function unregistered(name: string, looks: string, formats: readonly Format[]): ArgumentError {
  return unknownFormat(
    "undetected",
    `${name} looks like ${looks}, which no known format supports; known formats: ${idsOf(formats)}.`,
  );
}

function idsOf(formats: readonly Format[]): string {
  return formats.length === 0 ? "none" : formats.map(({ id }) => id).join(", ");
}

function unknownFormat(reason: string, message: string): ArgumentError {
  return new ArgumentError("unknown-format", message, { reason, argument: "format" });
}
