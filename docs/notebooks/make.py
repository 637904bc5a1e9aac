#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the notebooks of this folder from the texts NAME.py beside them, and executes them.

A text is cut at lines `# %%` (code) and `# %% [markdown]`. Needs nbformat, nbclient, ipykernel and
what the notebook imports:  docs/notebooks/make.py [NAME...]"""

import re
import sys
from pathlib import Path

import nbclient
import nbformat

HERE = Path(__file__).resolve().parent


def notebook(text):
    made = nbformat.v4.new_notebook()
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for number, (kind, body) in enumerate(
            re.findall(r"^# %%( \[markdown\])?\n(.*?)(?=^# %%|\Z)", text, re.M | re.S)):
        if kind:
            cell = nbformat.v4.new_markdown_cell(re.sub(r"^# ?", "", body.strip(), flags=re.M))
        else:
            cell = nbformat.v4.new_code_cell(re.sub("^# %matplotlib", "%matplotlib", body.strip(),
                                                       flags=re.M))
        cell.id = f"cell-{number}"
        made.cells.append(cell)
    return made


for name in sys.argv[1:] or sorted(each.stem for each in HERE.glob("*.py") if each.stem != "make"):
    made = notebook((HERE / f"{name}.py").read_text())
    nbclient.NotebookClient(made, timeout=600, resources={"metadata": {"path": HERE}}).execute()
    for cell in made.cells:
        cell.metadata.pop("execution", None)  # the times of day
        if cell.cell_type == "code":  # without progress
            cell.outputs = [each for each in cell.outputs if each.get("name") != "stderr"]
    nbformat.write(made, HERE / f"{name}.ipynb")
