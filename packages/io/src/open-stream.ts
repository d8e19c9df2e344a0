import { type Format, onePassSource, type Reader } from "@tfxio/format";
import type { HostColumns } from "@tfxio/tensor-adapter";
import { bufferStream, type ByteSource, type ByteStream, UnsupportedError } from "@tfxio/wire";
import { chooseFormat } from "./choose-format.js";
import type { TfxioOptions } from "./open-options.js";
import type { DataRequest } from "./reading/data-request.js";
import { inferredRequest } from "./reading/infer-schema.js";
import type { Tfxio } from "./tfxio.js";
import { tfxioOf } from "./tfxio-of.js";

/** The URI by which errors and splits name the stream. */
const STREAM_URI = "stream";

/**
 * Opens a TFXIO over a stream of bytes. The TFXIO allows only one pass. The bytes that were read for format detection and schema
 * inference are buffered, and the pass reads them again. Closes the stream if opening fails, unless it fails because of
 * `inferSchema: "full"`, which is rejected before anything is read.
 * @throws {UnsupportedError} `unsupported` (`stream`) for a format that needs files, and for `inferSchema: "full"`.
 */
export async function openStream<Columns extends HostColumns>(
  input: ByteStream,
  options: TfxioOptions<Columns>,
  request: DataRequest,
): Promise<Tfxio<Columns>> {
  const { signal, limits, formatOptions, inferSchema, stores = [] } = options;
  if (inferSchema === "full")
    throw needsFile('inferSchema "full" needs data that can be read twice; use "first" or { rows }');
  const stream = bufferStream(input);
  try {
    const looked: ByteSource = { ...onePassSource(stream, STREAM_URI), stream: () => stream.sample() };
    const format = await chooseFormat([looked], options);
    const open = openerOf(format);
    const readerOptions = { options: formatOptions ?? {}, limits, signal };
    const opened = {
      format,
      sources: [looked],
      options: formatOptions,
      limits,
      stores,
      representationGroup: options.representationGroup,
    };
    let settled = request;
    if (inferSchema !== undefined) {
      const sample = await open(stream.sample(), readerOptions);
      try {
        settled = await inferredRequest({ format, reader: sample, limits }, request, inferSchema, signal);
      } finally {
        await sample.close();
      }
    }
    const opening = await open(stream.rest(), readerOptions);
    // If no pass has begun, no reader owns the stream, so close it here.
    const reader: Reader = {
      plan: (planned) => opening.plan(planned),
      async close() {
        await opening.close();
        await stream.close();
      },
    };
    return await tfxioOf({ opened, reader }, settled, { adapter: options.adapter, signal });
  } catch (error) {
    await stream.close();
    throw error;
  }
}

function openerOf(format: Format): NonNullable<Format["openStream"]> {
  if (format.openStream !== undefined) return format.openStream;
  throw needsFile(`the format ${format.id} reads files, not streams; pass a path, URL, Blob or bytes`);
}

function needsFile(problem: string): UnsupportedError {
  return new UnsupportedError(`Cannot read a stream: ${problem}.`, { feature: "streams", reason: "stream" });
}
