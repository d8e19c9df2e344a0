import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Unavailable } from "../interop.js";
import { prepare } from "../run-command.js";
import type { BeamRunner } from "./runners.js";

/**
 * The newest version of Beam's Flink job server that was available when this was written. Beam and Flink themselves have newer
 * releases.
 */
const FLINK = { beam: "2.50.0", flink: "1.16" } as const;

/** Packages of the Java class library that Flink's serializers access by reflection. By default, Java 17 forbids this access. */
const OPENED_PACKAGES = [
  "java.lang",
  "java.lang.invoke",
  "java.net",
  "java.nio",
  "java.text",
  "java.time",
  "java.util",
  "java.util.concurrent",
  "sun.nio.ch",
];

/** Beam's job server for Flink, with an in-process cluster. It needs Java 11 or 17, and Maven, which downloads 150 MB. */
export const flink: BeamRunner = {
  name: `Flink ${FLINK.flink}`,
  isPython: false,
  prepare: async ({ cacheFolder, environment, report }, folder) => {
    await prepare("java", ["-version"], { env: environment });
    const archives = path.join(cacheFolder, `flink-${FLINK.flink}-beam-${FLINK.beam}`);
    if (!existsSync(archives)) {
      report.note(`downloading the archives of Flink ${FLINK.flink} into ${archives}`);
      await copyArchives(archives, environment);
    }
    return {
      program: "java",
      args: (port) => [
        "-Xmx3g",
        ...OPENED_PACKAGES.flatMap((name) => ["--add-opens", `java.base/${name}=ALL-UNNAMED`]),
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
        "-cp",
        path.join(archives, "*"),
        "org.apache.beam.runners.flink.FlinkJobServerDriver",
        "--flink-master=[local]",
        "--job-host=localhost",
        `--job-port=${port}`,
        "--artifact-port=0",
        "--expansion-port=0",
        `--artifacts-dir=${path.join(folder, "artifacts")}`,
      ],
    };
  },
};

/** Downloads the job server's archives. The folder gets its final name only when complete, so no run uses an incomplete one. */
async function copyArchives(archives: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const partial = `${archives}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeFile(path.join(partial, "pom.xml"), POM);
  const goal = ["dependency:copy-dependencies", "-DoutputDirectory=.", "-DincludeScope=runtime"];
  try {
    await prepare("mvn", ["-B", "-q", ...goal], { cwd: partial, env: environment });
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error instanceof Unavailable ? error : new Unavailable(String(error));
  }
  await rename(partial, archives);
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tfxio</groupId><artifactId>flink-job-server</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.beam</groupId><artifactId>beam-runners-flink-${FLINK.flink}</artifactId><version>${FLINK.beam}</version>
    </dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.30</version></dependency>
  </dependencies>
</project>
`;
