import { openTfxio } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";

const schema = parseSchemaText('feature { name: "y" type: FLOAT }');

/**
 * Reads column `y` of a TFRecord file with two web workers, once from a Blob and once from bytes. Runs in a browser.
 * @returns The values of each batch.
 */
export async function readInWebWorkers(base64: string): Promise<readonly (readonly number[])[]> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const tfxio = await openTfxio([new Blob([bytes]), bytes], { schema, format: "tfrecord" });
  const columns: number[][] = [];
  for await (const batch of tfxio.recordBatches({ workers: 2 })) {
    const values: unknown = batch.data.children[0]?.children[0]?.values;
    columns.push([...(values as Float32Array)]);
  }
  return columns;
}

/** Damages a file and reads it in a web worker. Resolves to the error's reason, URI and record index. Runs in a browser. */
export async function failInWebWorker(base64: string): Promise<readonly unknown[]> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  bytes[20] = (bytes[20] as number) ^ 1;
  const tfxio = await openTfxio(bytes, { schema, format: "tfrecord" });
  try {
    for await (const batch of tfxio.recordBatches({ workers: 1 })) return [batch.numRows];
  } catch (error) {
    if (isTfxioError(error, "corrupt-record")) return [error.reason, error.uri, error.recordIndex];
    throw error;
  }
  return [];
}
