import type { PeerPython } from "../../peer-python.js";
import { pythonCommand } from "../../python-command.js";
import { type DecodeSubject, hasUsualBatches } from "../subject.js";
import { ProcessPeer } from "./process-peer.js";

/**
 * Runs TensorFlow's C++ parser, `TFRecordDataset → batch → parse_example`, on one thread. TensorFlow checks CRCs and reads the
 * file from the page cache. Its ragged tensors do not distinguish null from empty, so its digests omit the number of nulls.
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
      // TensorFlow has a faster path for features with a fixed number of values, if that number is greater than one.
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
