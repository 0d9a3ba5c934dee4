#!/usr/bin/python3
"""Parses the CSS files given, prints what is no rule or declaration; exit code 77 without tinycss2."""
import sys

try:
    import tinycss2
except ImportError:
    sys.exit(77)


def errors(nodes):
    for node in nodes:
        if node.type == "error":
            yield node
        elif node.type == "at-rule" and node.content is not None:
            yield from errors(tinycss2.parse_rule_list(node.content, True, True))
        elif node.type == "qualified-rule":
            yield from errors(tinycss2.parse_declaration_list(node.content, True, True))


failed = False
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        for error in errors(tinycss2.parse_stylesheet(file.read(), True, True)):
            print(f"{name}:{error.source_line}: {error.message}", file=sys.stderr)
            failed = True
sys.exit(failed)
