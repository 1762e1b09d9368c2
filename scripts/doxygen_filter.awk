#!/usr/bin/awk -f
# Shows Doxygen the headers' comments as it knows them: those in front of a declaration, and those behind one on its line,
# which may go on below in the same column. Plain text stays plain: nothing in it is a command, a tag or markup.
function plain(text) {
    gsub(/[\\@<>#%&*"]/, "\\\\&", text)
    sub(/ \.\.$/, " to", text) # not the end of a list
    return text
}
function column(line) { return match(line, /\/\/[^\/]|\/\/$/) }
FNR == 1 { print "/// @file" }
/^ *\/\/ -{10,}/ { print ""; behind = 0; next }
/^ *\/\// {
    at = column($0)
    mark = behind && at == behind ? "///<" : "///"
    if (mark == "///") behind = 0
    print substr($0, 1, at - 1) mark plain(substr($0, at + 2))
    next
}
{
    at = column($0)
    if (at > 1 && $0 !~ /^#/) {
        print substr($0, 1, at - 1) "///<" plain(substr($0, at + 2))
        behind = at
    } else {
        print
        behind = 0
    }
}
