# SPDX-License-Identifier: Apache-2.0
# bash completion for steelyard-cli. Commands, options and fixed values are taken from the program's own --help, and
# names of workloads, hardware and so on from its lists, so that nothing here grows old.

# The words of the section "$1:" of a help text on standard input.
_steelyard_cli_section() {
    sed -n "/^$1:/,/^\$/p" | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
}

# What the option or positional "$1" takes, when the help on standard input lists it: ...:{a,b,c}
_steelyard_cli_values() {
    sed -n "s/^  \(-[a-z],\)\{0,1\}$1 [^{]*{\([^}]*\)}.*/\2/p" | tr ',' ' '
}

_steelyard_cli_ids() {
    steelyard-cli list "$1" 2>/dev/null | sed -n '2,$s/ .*//p'
}

_steelyard_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} help words=() index=1
    COMPREPLY=()
    # The command, and the command below it, as far as they are written already.
    while [ "$index" -lt "$COMP_CWORD" ] && [ "${#words[@]}" -lt 2 ]; do
        case ${COMP_WORDS[index]} in -*) break ;; *) words+=("${COMP_WORDS[index]}") ;; esac
        index=$((index + 1))
    done
    if [ "${#words[@]}" -eq 2 ]; then
        case ${words[0]} in history | catalog | campaign) ;; *) words=("${words[0]}") ;; esac
    fi
    help=$(steelyard-cli "${words[@]}" --help 2>/dev/null) || return
    local values='' prefix=''
    case $previous in
        --workload) values=$(_steelyard_cli_ids workloads) ;;
        --hardware) values=$(_steelyard_cli_ids hardware) ;;
        --device) values=$(_steelyard_cli_ids devices) ;;
        --db | --data | --out | --output | --offers | --results)
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return ;;
        -*) values=$(_steelyard_cli_values "$previous" <<<"$help") ;;
    esac
    if [ -z "$values" ]; then
        case $current in
            -*) values=$(sed -n 's/^  \(-[a-z],\)\{0,1\}\(--[a-z-]*\).*/\2/p' <<<"$help") ;;
            *)
                values=$(_steelyard_cli_section Subcommands <<<"$help")
                case ${words[0]:-} in
                    show) values=$(_steelyard_cli_ids workloads) ;;
                    list) values=$(_steelyard_cli_values what <<<"$help") ;;
                esac ;;
        esac
    elif [[ $current == *,* ]]; then
        # Lists are written with commas: complete what follows the last one.
        prefix=${current%,*},
        current=${current##*,}
    fi
    if [ -z "$values" ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$values" -- "$current")
}

complete -o filenames -o bashdefault -F _steelyard_cli steelyard-cli
