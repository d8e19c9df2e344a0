import { Argument, type Command } from "commander";
import { withExamples } from "./command.js";
import type { Host } from "./host.js";

/** Name of the command that completion scripts call. */
export const COMPLETE = "complete";

/**
 * Completion script of each shell. A script offers the words that `tfxio complete -- WORDS` prints, or files if it prints none.
 */
const SCRIPTS = {
  bash: `_tfxio() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(tfxio complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "$current"))
}
complete -o default -F _tfxio tfxio
`,
  zsh: `#compdef tfxio
_tfxio() {
  local -a found
  found=("\${(@f)$(tfxio complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _tfxio tfxio
`,
  fish: `function __tfxio_words
  set -l words (commandline -opc) (commandline -ct)
  set -l found (tfxio complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c tfxio -f -a '(__tfxio_words)'
`,
} as const;

type Shell = keyof typeof SCRIPTS;

/**
 * Declares `tfxio complete`. `tfxio complete SHELL` prints the script for a shell. `tfxio complete -- WORDS` prints candidates
 * for the last word, one per line.
 * @param program The program. For completion, all its commands must be loaded.
 */
export function declareComplete(command: Command, { stdout }: Host, program: Command): void {
  const shells = Object.keys(SCRIPTS) as Shell[];
  withExamples(
    command
      .summary(`print the completion script for ${shells.join(", ")}`)
      .description("Print a script with which a shell completes the commands and options of tfxio.")
      .addArgument(new Argument("[shell]", `one of ${shells.join(", ")}`))
      .allowExcessArguments(),
    'eval "$(tfxio complete bash)"    # in ~/.bashrc',
    'eval "$(tfxio complete zsh)"     # in ~/.zshrc, after compinit',
    "tfxio complete fish > ~/.config/fish/completions/tfxio.fish",
  ).action(async (_shell: unknown, _options: unknown, { args, parent }: Command) => {
    const words = [...args];
    const isAsked = (parent as unknown as { readonly rawArgs: readonly string[] }).rawArgs.includes("--");
    const [shell = ""] = words;
    if (isAsked)
      await stdout.write(
        candidates(program, words)
          .map((word) => `${word}\n`)
          .join(""),
      );
    else if (Object.hasOwn(SCRIPTS, shell)) await stdout.write(SCRIPTS[shell as Shell]);
    else command.error(`error: the shell must be one of ${shells.join(", ")}`);
  });
}

/**
 * Returns the candidates for the last of `words`: commands, options or the choices of an option. Empty if none of these fits, for
 * example if the last word is a file.
 */
function candidates(program: Command, words: readonly string[]): readonly string[] {
  const current = words.at(-1) ?? "";
  const fitting = (all: readonly string[]): string[] => all.filter((word) => word.startsWith(current));
  const before = words.slice(0, -1);
  let command = program;
  let depth = 0;
  // Descend to the called subcommand, such as `tfxio artifacts ls`.
  for (; depth < before.length; depth++) {
    const called = command.commands.find((each) => each.name() === before[depth]);
    if (called === undefined) break;
    command = called;
  }
  if (depth === before.length && command.commands.length > 0 && !current.startsWith("-")) {
    const commands = program.createHelp().visibleCommands(command);
    return fitting(commands.map((each) => each.name()));
  }
  const options = program.createHelp().visibleOptions(command);
  if (current.startsWith("-")) return fitting(options.flatMap(({ long }) => long ?? []));
  const option = options.find(({ short, long }) => [short, long].includes(words.at(-2)));
  return fitting(option?.argChoices ?? []);
}
