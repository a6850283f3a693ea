# functions.awk FILES: file, line and lines of every function in C, JavaScript, Python and shell; what is indented as in
# this project.
function indent(s) { match(s, /^ */); return RLENGTH }
function end_python(least) {
    while (depth && at[depth] >= least) {
        print name, head[depth], last - head[depth]
        depth--
    }
}
FNR == 1 {
    if (name ~ /\.py$/)
        end_python(0)
    name = FILENAME
    depth = start = 0
}
name ~ /\.[ch]$/ && /^[a-z].*[^;]$/ && !/^(typedef|struct|enum|static const)/ { line = FNR }
name ~ /\.sh$/ && /^[a-z_]+\(\) *\{ *$/ { start = line = FNR }
name ~ /\.c$/ && /^\{$/ { start = FNR }
name ~ /\.(c|sh)$/ && /^\}$/ && start {
    print name, line, FNR - start - 1
    start = 0
}
name ~ /\.py$/ && /[^ ]/ {
    end_python(indent($0))
    last = FNR
}
name ~ /\.py$/ && /^ *(async )?def / {
    head[++depth] = FNR
    at[depth] = indent($0)
}
name ~ /\.js$/ && /^ *\}/ {
    while (depth && at[depth] > indent($0))
        depth--
    if (depth && at[depth] == indent($0)) {
        print name, head[depth], FNR - head[depth] - 1
        depth--
    }
}
name ~ /\.js$/ && (/(function|=>).*\{ *$/ || /^ +(async )?[A-Za-z_]+\([^()]*\) *\{ *$/) && !/^ *\}? *(if|for|while|switch|catch|else)/ {
    head[++depth] = FNR
    at[depth] = indent($0)
}
END {
    if (name ~ /\.py$/)
        end_python(0)
}
