import { BenchError } from "../../measurement.js";
import type { PeerPython } from "../../peer-python.js";
import { pythonCommand } from "../../python-command.js";
import { type DecodeSubject, hasUsualBatches } from "../subject.js";
import { ProcessPeer } from "./process-peer.js";

/**
 * Runs tfx_bsl's C++ decoders from Python on one thread. The decoders take lists of records in memory, so the subject `tfx_bsl`
 * reads no framing and checks no CRCs. `tfx_bsl:file` reads a file, as users do without Beam.
 */
export class TfxBsl {
  readonly subjects: readonly DecodeSubject[];
  readonly #peer: ProcessPeer;

  constructor(python: () => Promise<PeerPython>) {
    this.#peer = new ProcessPeer(async () => {
      const { program, whyNoTfxBsl } = await python();
      if (whyNoTfxBsl !== undefined) throw new BenchError(whyNoTfxBsl);
      return pythonCommand(program, "tfx_bsl_decode.py");
    });
    this.subjects = [
      this.#peer.subject("tfx_bsl", () => true, { source: "memory" }),
      this.#peer.subject("tfx_bsl:file", hasUsualBatches, { source: "file" }),
    ];
  }

  close(): void {
    this.#peer.close();
  }
}
