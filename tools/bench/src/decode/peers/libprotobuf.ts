import { type DecodeSubject, hasUsualBatches } from "../subject.js";
import { buildLibprotobuf } from "./build-libprotobuf.js";
import { ProcessPeer } from "./process-peer.js";

/**
 * libprotobuf's generated C++ classes, an arena that stays warm, the processor's CRC instruction, and columns filled by
 * appending (`native/`): what a C++ program does that has no parser of its own. Its input is in memory, and it keeps
 * the memory of its columns from batch to batch. A stand-in for tfx_bsl's decoder, which is built the same way.
 */
export class Libprotobuf {
  readonly subject: DecodeSubject;
  readonly #peer: ProcessPeer;

  /** @param folder where the program is built, and kept for later runs. */
  constructor(folder: string) {
    this.#peer = new ProcessPeer(async () => [await buildLibprotobuf(folder)]);
    this.subject = this.#peer.subject("libprotobuf", hasUsualBatches, {});
  }

  close(): void {
    this.#peer.close();
  }
}
