"""plant.py: one-line mistakes that could be made in a C source file.

A mistake is a piece of one line and what stands there instead. Not touched are comments, strings, preprocessor lines,
messages (arguments of plait_error_set) and asserts: nobody's result depends on them. Nor are sizes of memory, which the
sanitizers watch, nor named constants at the top of a file, which say how hard to try: near values give right answers too.
clang-format puts blanks around binary operators, so that plain patterns tell them from unary ones.
"""

import re
from dataclasses import dataclass

# A variable, a member or an entry of an array.
NAME = r"(?:[A-Za-z_]\w*(?:->|\.))*[A-Za-z_]\w*(?:\[[^\[\]]*\])?"
PATTERNS = [
    ("sign", r"(?<=[\w)\]]) \+ (?=[\w(&*-])", " - "),
    ("sign", r"(?<=[\w)\]]) - (?=[\w(&*])", " + "),
    ("sign", r" \+= ", " -= "),
    ("sign", r" -= ", " += "),
    ("sign", r"(?:(?<=[=,?:] )|(?<=[({])|(?<=return ))-(?=[A-Za-z_(])", ""),
    ("off by one", r"(?<=[\w)\]]) \+ 1(?![\w.])", ""),
    ("off by one", r"(?<=[\w)\]]) - 1(?![\w.])", ""),
    ("off by one", r"(?<=for \(int \w = )0(?=;)", "1"),
    ("off by one", r"(?<=; \w )<(?= [^;]*;)", "<="),
    ("dropped", r"(?<=[\w)\]]) [*/] " + NAME + r"(?![\w(\[.]|->)", ""),
    ("dropped", r"(?<=[\w)\]]) [+-] " + NAME + r"(?= *[;,)])", ""),
    ("dropped", r"(?<=^)[^;={}]+ [-+*/]= [^;{}]+;(?=$)", ";"),
    ("dropped", r"(?<=^)\s+plait_vec3_(?:axpy|cross|copy|sub|scale)\([^;]*\);(?=$)", ";"),
    ("min/max", r"\bfmin(?=\()", "fmax"),
    ("min/max", r"\bfmax(?=\()", "fmin"),
    ("sin/cos", r"\bsin(?=\()", "cos"),
    ("sin/cos", r"\bcos(?=\()", "sin"),
    ("comparison", r"(?<=[\w)\]]) < (?=[\w(-])", " >= "),
    ("comparison", r"(?<=[\w)\]]) > (?=[\w(-])", " <= "),
    ("comparison", r"(?<=[\w)\]]) <= (?=[\w(-])", " > "),
    ("comparison", r"(?<=[\w)\]]) >= (?=[\w(-])", " < "),
    ("comparison", r"(?<=[\w)\]]) == (?=[\w(-])", " != "),
    ("comparison", r"(?<=[\w)\]]) != (?=[\w(-])", " == "),
    ("logic", r" && ", " || "),
    ("logic", r" \|\| ", " && "),
    ("factor", r"(?<![\w.])(?:\d+\.\d+|[1-9]\d*)(?= \* )", lambda m: "2 * " + m.group()),
    ("factor", r"(?<= [*/] )(?:\d+\.\d+|[1-9]\d*)(?![\w.])", lambda m: "(2 * " + m.group() + ")"),
]
PATTERNS = [(kind, re.compile(pattern), to) for kind, pattern, to in PATTERNS]


@dataclass(frozen=True)
class Mistake:
    file: str  # from the root of the source tree
    line: int  # from 1
    column: int  # from 0
    kind: str
    old: str
    new: str

    @property
    def name(self):
        return f"{self.file}:{self.line}:{self.column}"

    def apply(self, text):
        lines = text.split("\n")
        line = lines[self.line - 1]
        assert line[self.column : self.column + len(self.old)] == self.old
        lines[self.line - 1] = line[: self.column] + self.new + line[self.column + len(self.old) :]
        return "\n".join(lines)


def blank(text, start, end):
    """The same text with blanks from start to end; lines stay lines."""
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def closing(text, at):
    """Behind the parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i + 1
    return len(text)


def bare(text):
    """The text without what is not touched, in the same places."""
    pieces = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*'
    text = re.sub(pieces, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S | re.M)
    for call in reversed(list(re.finditer(r"\b(?:plait_error_set|assert|snprintf)(?=\()", text))):
        text = blank(text, call.end(), closing(text, call.end()))
    for constants in reversed(list(re.finditer(r"^(?:static const\b[^;()]*=|enum\b)[^;]*;", text, flags=re.M))):
        text = blank(text, constants.start(), constants.end())
    return text


def mistakes(file, text):
    """All mistakes that can be made in a file, in its order."""
    found = []
    depth = 0
    for number, line in enumerate(bare(text).split("\n"), 1):
        if depth > 0 and not re.search(r"\w*alloc\(|sizeof", line):
            for kind, pattern, to in PATTERNS:
                for m in pattern.finditer(line):
                    new = to(m) if callable(to) else to
                    found.append(Mistake(file, number, m.start(), kind, m.group(), new))
        depth += line.count("{") - line.count("}")
    return found
