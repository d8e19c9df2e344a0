import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { runPython } from "../python.js";
import type { Json } from "./question.js";

/** External software in Python. Questions and answers are lines of JSON. */
export interface Peer {
  /** A folder for files that both sides read. */
  readonly folder: string;
  /** Runs a script of `python/` with questions. Resolves to one answer per question, in order. */
  readonly ask: (script: string, questions: readonly Json[]) => Promise<readonly Json[]>;
}

/** Creates a peer that writes its files to `folder` and leaves them there. */
export function createPeer(python: string, folder: string): Peer {
  return {
    folder,
    ask: async (script, questions) => {
      const asked = path.join(folder, "questions.jsonl");
      const answered = path.join(folder, "answers.jsonl");
      await writeFile(asked, questions.map((each) => `${JSON.stringify(each)}\n`).join(""));
      await runPython(python, script, [asked, answered]);
      const answers: Json[] = [];
      for await (const line of createInterface({ input: createReadStream(answered) })) {
        answers.push(JSON.parse(line) as Json);
      }
      if (answers.length !== questions.length) {
        throw new Error(`${script} must write ${questions.length} answers, found ${answers.length}`);
      }
      return answers;
    },
  };
}
