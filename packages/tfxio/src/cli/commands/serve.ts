import { serveRecordBatches, type ServedPass } from "@tfxio/formats-arrow/serve";
import type { Tfxio } from "@tfxio/io";
import { InvalidArgumentError } from "commander";
import { type DeclareCommand, withExamples } from "../command.js";
import type { Host } from "../host.js";
import { openForWriting } from "../options/open-for-writing.js";
import { withSources } from "../options/source-options.js";
import { type OutputOptions, withOutput } from "../options/target-options.js";
import { bytesText, counted } from "../output/units.js";

/** Options of `tfxio serve`. */
interface ServeOptions extends OutputOptions {
  readonly listen: Endpoint;
}

/** The address to listen on. TCP and HTTP use `host` and `port`. A Unix socket uses `path`. */
interface Endpoint {
  readonly transport: "tcp" | "unix" | "http";
  readonly host?: string;
  /** If 0 or absent, a free port is chosen. */
  readonly port?: number;
  readonly path?: string;
}

/** Declares `tfxio serve`. */
export const declareServe: DeclareCommand = (command, host) => {
  withExamples(
    withOutput(withSources(command)).addOption(
      command
        .createOption("-l, --listen <endpoint>", "host:port, http://host:port or unix:///path")
        .argParser(endpoint)
        .default({ transport: "tcp" }, "a free TCP port on this machine"),
    ),
    "tfxio serve 'train-*.tfrecord'",
    "tfxio serve people.parquet --listen http://127.0.0.1:8080",
  ).action(async (sources: readonly string[], options: ServeOptions) => {
    await serve(await openForWriting(sources, "stream.arrows", options, host), options, host);
  });
};

/**
 * Serves all rows to each client until the command is interrupted. Prints the endpoint to stdout, and one line per served client
 * to stderr.
 */
async function serve(
  tfxio: Tfxio,
  { listen, json }: ServeOptions,
  { signal, stdout, stderr }: Host,
): Promise<void> {
  const arrowSchema = (await tfxio.plan()).arrowSchema;
  const server = await serveRecordBatches((request) => tfxio.recordBatches({ signal: request.signal }), {
    ...listen,
    arrowSchema,
    signal,
    onPass: (pass) => void stderr.write(`${passText(pass)}\n`),
  });
  // Subscribe to the abort signal before printing, because a program that reads the endpoint may interrupt the command at once.
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await stdout.write(`${json === true ? JSON.stringify({ endpoint: server.endpoint }) : server.endpoint}\n`);
  await interrupted;
  await server.close();
}

/** Formats the line on stderr for one served client. */
function passText({ client, numRows, numBytes, outcome }: ServedPass): string {
  return `${client}: ${counted(numRows, "row")}, ${bytesText(numBytes)}, ${outcome}`;
}

/** Parses `host:port`, `http://host:port` or `unix:///path`, for an option. */
function endpoint(text: string): Endpoint {
  const [, path] = /^unix:\/\/(\/.+)$/.exec(text) ?? [];
  if (path !== undefined) return { transport: "unix", path };
  const [, http, host, port] = /^(http:\/\/)?([^:/]+):(\d{1,5})\/?$/.exec(text) ?? [];
  if (host === undefined)
    throw new InvalidArgumentError("It must be host:port, http://host:port or unix:///path.");
  return { transport: http === undefined ? "tcp" : "http", host, port: Number(port) };
}
