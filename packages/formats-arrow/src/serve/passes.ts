import type { Writable } from "node:stream";
import type { RecordBatchFactory } from "./batch-source.js";
import { type PassSettings, sendPass, type ServedPass } from "./send-pass.js";
import { createTurns } from "./turns.js";

/** Settings shared by the passes of one server. */
export type PassesSettings = Omit<PassSettings, "client" | "uri" | "turns"> & {
  /** Endpoint of the server, once it listens. */
  readonly endpoint: () => string;
  readonly onPass: (pass: ServedPass) => void;
};

/** The passes of one server. Each client has one, and they do not wait for each other. */
export interface Passes {
  /** Passes under way. */
  readonly size: number;
  start(writable: Writable, client: string): void;
  /** Resolves once all passes are over. */
  settled(): Promise<void>;
}

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
