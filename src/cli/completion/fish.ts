import { valueRows, type Completion, type Place, type ValueRow, type Word } from './model.js';

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

/** Words with their descriptions, separated by tabs. */
const described = (words: readonly Word[]): string =>
  words.map(({ word, about }) => `${quoted(word)}\\t${quoted(about)}`).join(' ');

function placeCase({ path, commands, flags, arguments: given }: Place): string {
  const lines = [
    ...(commands.length > 0 ? [`set commands ${described(commands)}`] : []),
    ...(flags.length > 0 ? [`set flags ${described(flags)}`] : []),
    ...(given.length > 0 ? [`set arguments ${given.map(quoted).join(' ')}`] : []),
  ];
  return [`        case ${quoted(path)}`, ...lines.map((line) => `            ${line}`)].join('\n');
}

const valueCase = ({ options, text }: ValueRow): string =>
  `        case ${options.map(quoted).join(' ')}
            set values ${quoted(text)}
            return 0`;

/** The script that completes commands in fish, with no other program. */
export function fishScript(completion: Completion): string {
  const { places, everywhere, settings } = completion;
  const { own, common } = valueRows(completion);
  return `# Completes the command imgstore in fish; made by "imgstore completion fish".

# Sets what can come after a command; fails if there is none of that name.
function __imgstore_place --no-scope-shadowing --argument-names command
    set commands
    set flags
    set arguments
    switch $command
${places.map(placeCase).join('\n')}
        case '*'
            return 1
    end
    return 0
end

# Sets what an option of a command takes; fails if it takes nothing.
function __imgstore_values --no-scope-shadowing --argument-names command flag
    switch "$command $flag"
${own.map(valueCase).join('\n')}
    end
    switch $flag
${common.map(valueCase).join('\n')}
    end
    return 1
end

# Offers words, files, or directories, after what the current word already has.
function __imgstore_offer --argument-names values current before
    switch $values
        case @files
            __fish_complete_path $current | string replace -r '^' -- $before
        case @directories
            __fish_complete_directories $current | string replace -r '^' -- $before
        case '@list *'
            set -a before (string replace -r '[^,]*$' '' -- $current)
            string split ' ' -- (string replace '@list ' '' -- $values) | string replace -r '^' -- (string join '' $before)
        case '?*'
            string split ' ' -- $values | string replace -r '^' -- $before
    end
end

function __imgstore_complete
    set -l current (commandline -ct)
    set -l path ''
    set -l option ''
    set -l given 0
    set -l commands
    set -l flags
    set -l arguments
    set -l values
    set -l next ''
    for word in (commandline -opc)[2..]
        set option ''
        if test -n "$next"
            set next ''
            continue
        end
        switch $word
            case '--*=*'
            case '--*'
                if __imgstore_values "$path" $word
                    set next $word
                    set option $word
                end
            case '-?*'
            case '*'
                set -l longer (string trim "$path $word")
                if test $given -eq 0; and __imgstore_place $longer
                    set path $longer
                else
                    set given (math $given + 1)
                end
        end
    end
    __imgstore_place "$path"
    set -l before ''
    if test -z "$option"; and string match -q -- '--*=*' $current
        set option (string replace -r '=.*' '' -- $current)
        set before $option=
        set current (string replace -r '^[^=]*=' '' -- $current)
    end
    if test -n "$option"
        __imgstore_values "$path" $option; and __imgstore_offer "$values" "$current" "$before"
    else if string match -q -- '-*' $current
        printf '%s\\n' $flags ${described(everywhere)}
        # All settings only when asked for: they are many.
        if string match -q -- '--?*' $current
            printf '%s\\n' ${described(settings)}
        end
    else
        if test $given -eq 0; and set -q commands[1]
            printf '%s\\n' $commands
        end
        __imgstore_offer "$arguments[$(math $given + 1)]" "$current" ''
    end
end

complete --command imgstore --no-files --arguments '(__imgstore_complete)'
`;
}
