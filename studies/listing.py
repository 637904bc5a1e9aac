# SPDX-License-Identifier: Apache-2.0
"""Prints the studies, and the claims with their verdicts. Needs nothing but Python."""

import json
import textwrap

from catalogue import STUDIES


def studies():
    for name, study in STUDIES.items():
        print(f"{name:<17}{study.question}")


def verdicts_in(folder, study):
    """{claim: (word, numbers)} of the last time that study was made into that folder."""
    file = folder / f"{study}.verdicts.json"
    return json.loads(file.read_text())["verdicts"] if file.is_file() else {}


def claims(known, inputs, folder, wanted):
    counts = {}
    for study in wanted:
        of_study = [each for each in known.values() if each.study == study]
        if not of_study:
            continue
        found = verdicts_in(folder, study)
        print(f"{study}: {STUDIES[study].question}")
        for each in of_study:
            word, numbers = found.get(each.name, ("not made yet", ""))
            counts[each.role, word] = counts.get((each.role, word), 0) + 1
            print(f"  {word:<14}{each.name}  ({each.role})")
            print(f"    {each.place}: \"{each.quote}\"")
            print(f"    {each.measure} {each.test}" + (f": {numbers}" if numbers else ""))
            if not each.cell:
                print(textwrap.fill(f"why so: {each.why}", 100, initial_indent="    ",
                                    subsequent_indent="    "))
        names = dict.fromkeys(name for each in of_study for name in each.inputs)
        for name in names:
            one = inputs[name]
            print(textwrap.fill(f"input {name}: {one['what']}; {one['origin']}"
                                + (f" ({one['to']})" if "to" in one else ""), 100,
                                initial_indent="  ", subsequent_indent="    "))
        print()
    for (role, word), count in sorted(counts.items()):
        print(f"{count:>5} {role}: {word}")
