import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { run } from "./run.js";
import type { Tarball } from "./tarball.js";

/** A local npm registry that serves our tarballs and proxies all other packages. */
export interface RegistryStandIn {
  readonly url: string;
  /** Returns the totals since the last call, and resets them. */
  takeTotals(): RegistryTotals;
  close(): void;
}

/** Number and size of the files that npm downloaded. */
export interface RegistryTotals {
  readonly numTarballs: number;
  readonly tarballBytes: number;
  /** Bytes of package metadata, as uncompressed JSON. */
  readonly metadataBytes: number;
  /** Name and size in bytes of each tarball, largest first. */
  readonly largest: readonly (readonly [string, number])[];
}

interface Packument {
  readonly versions: Readonly<Record<string, { readonly dist: { tarball: string } }>>;
}

/**
 * Starts the registry on a free port of 127.0.0.1.
 * @param upstream URL of the registry for all other packages. Its responses are kept in memory, so each address is requested only
 *   once.
 */
export async function serveTarballs(
  tarballs: readonly Tarball[],
  upstream: string,
): Promise<RegistryStandIn> {
  const own = new Map(tarballs.map((tarball) => [tarball.pkg.name, tarball.file]));
  const kept = new Map<string, Promise<Buffer>>();
  const sent = new Map<string, number>();
  let metadataBytes = 0;
  let url = "";

  const fetched = (address: string): Promise<Buffer> => {
    let answer = kept.get(address);
    if (answer === undefined) {
      answer = fetch(address, { headers: { accept: "application/vnd.npm.install-v1+json, */*" } }).then(
        async (response) => {
          if (!response.ok) throw new Error(`${address}: ${response.status}`);
          return Buffer.from(await response.arrayBuffer());
        },
      );
      kept.set(address, answer);
    }
    return answer;
  };
  const describe = async (name: string): Promise<Buffer> => {
    const file = own.get(name);
    if (file !== undefined) return ownPackument(file, `${url}/-/own/${path.basename(file)}`);
    const packument = JSON.parse(
      String(await fetched(new URL(name.replace("/", "%2f"), upstream).href)),
    ) as Packument;
    for (const { dist } of Object.values(packument.versions))
      dist.tarball = `${url}/-/other/${encodeURIComponent(dist.tarball)}`;
    return Buffer.from(JSON.stringify(packument));
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, kind, rest] = /^\/-\/(own|other)\/(.*)$/.exec(request.url ?? "") ?? [];
    if (rest === undefined) {
      const body = await describe(decodeURIComponent((request.url ?? "").slice(1)));
      metadataBytes += body.length;
      response.setHeader("content-type", "application/json");
      response.end(body);
      return;
    }
    const address = decodeURIComponent(rest);
    const ownFile = [...own.values()].find((file) => path.basename(file) === address);
    const body = kind === "own" ? readFileSync(ownFile as string) : await fetched(address);
    sent.set(path.basename(address), body.length);
    response.end(body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 404;
      response.end(JSON.stringify({ error: String(error) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    takeTotals() {
      const sizes = [...sent].sort(([, one], [, other]) => other - one);
      const tarballBytes = sizes.reduce((sum, [, size]) => sum + size, 0);
      const totals = { numTarballs: sizes.length, tarballBytes, metadataBytes, largest: sizes };
      sent.clear();
      metadataBytes = 0;
      return totals;
    },
    close: () => server.close(),
  };
}

/** Returns the registry metadata of a packed package as JSON. The metadata lists only the packed version. */
function ownPackument(file: string, tarball: string): Buffer {
  const { output } = run("tar", ["-xzOf", file, "package/package.json"], path.dirname(file));
  const manifest = JSON.parse(output) as { readonly name: string; readonly version: string };
  const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  const { name, version } = manifest;
  const versions = { [version]: { ...manifest, dist: { tarball, integrity } } };
  return Buffer.from(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
}
