import type { Writable } from "node:stream";
import type { RecordBatchFactory } from "./batch-source.js";
import { type PassSettings, sendPass, type ServedPass } from "./send-pass.js";
import { createTurns } from "./turns.js";

/** Settings shared by the passes of one server. */
export type PassesSettings = Omit<PassSettings, "client" | "uri" | "turns"> & {
  /** Returns the endpoint of the server, which is known only once the server is listening. */
  readonly endpoint: () => string;
  /** Called after each pass, even if it failed. */
  readonly onPass: (pass: ServedPass) => void;
};

/** The passes of one server, one for each client. Passes do not wait for each other. */
export interface Passes {
  /** Number of passes in progress. */
  readonly size: number;
  /** Starts a pass that writes to `writable`. `client` is the address of the client, or empty. */
  start(writable: Writable, client: string): void;
  /** Resolves when all passes are over. */
  settled(): Promise<void>;
}

/** Creates the passes of one server. Calls `factory` for each pass. */
export function createPasses(factory: RecordBatchFactory, settings: PassesSettings): Passes {
  const running = new Set<Promise<void>>();
  const turns = createTurns();
  return {
    get size() {
      return running.size;
    },
    start(writable, client) {
      const uri = `client ${client === "" ? "" : `${client} `}of ${settings.endpoint()}`;
      const sending = sendPass(factory, writable, { ...settings, client, uri, turns }).then((pass) => {
        running.delete(sending);
        settings.onPass(pass);
      });
      running.add(sending);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
