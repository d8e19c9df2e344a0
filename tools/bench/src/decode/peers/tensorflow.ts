import type { PeerPython } from "../../peer-python.js";
import { pythonCommand } from "../../python-command.js";
import { type DecodeSubject, hasUsualBatches } from "../subject.js";
import { ProcessPeer } from "./process-peer.js";

/**
 * TensorFlow's C++ parser, `TFRecordDataset → batch → parse_example`, limited to one thread. It checks CRCs and reads the
 * file from the page cache. Ragged tensors cannot distinguish null from empty, so it reports no nulls.
 */
export class Tensorflow {
  readonly subjects: readonly DecodeSubject[];
  readonly #peer: ProcessPeer;

  constructor(python: () => Promise<PeerPython>) {
    this.#peer = new ProcessPeer(async () => pythonCommand((await python()).program, "parse_example.py"));
    this.subjects = [
      this.#peer.subject("tensorflow", (set) => set.payload === "example" && hasUsualBatches(set), {
        fixed: false,
      }),
      // Its faster path, for sets whose features have a fixed number of values above one.
      this.#peer.subject(
        "tensorflow:fixed",
        (set) =>
          set.payload === "example" &&
          hasUsualBatches(set) &&
          set.columns.every(({ fixedLength }) => fixedLength !== undefined && fixedLength > 1),
        { fixed: true },
      ),
    ];
  }

  close(): void {
    this.#peer.close();
  }
}
