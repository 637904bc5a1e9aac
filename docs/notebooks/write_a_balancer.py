# SPDX-License-Identifier: Apache-2.0
# The text of write_a_balancer.ipynb; docs/notebooks/make.py makes and executes it.
# %% [markdown]
# # Write a balancer, see what it does
#
# A balancer decides which work moves where. Here one is written in Python, run on a simulated
# machine of the nineties (`sp2`) with 32 nodes, and compared with those of the papers. Every run
# repeats bit by bit: the machine has a clock and dice of its own.
#
# `pip install ./python` and the command `terrane` are all this needs, with pandas and matplotlib.
# %%
# %matplotlib inline
import matplotlib.pyplot as plt
import pandas
import terrane
from terrane.policies import His

MACHINE = {"world": "sim", "network": "sp2", "nodes": 32}
PROGRAM = ("queens", 10, 4)
# %% [markdown]
# ## The policy
#
# An idle node asks a random one. That node gives its oldest token, the largest piece of work that
# it has, or passes the request on, three times in all.
# %%
class AskAnyone(terrane.Balancer):
    REQUEST = 1

    def __init__(self, hops=3):
        self.hops = hops
        self.asking = 0

    def on_idle(self, node):
        if node.load == 0 and node.now > self.asking:
            self.asking = node.now + 300_000  # an answer takes some 100 us here
            node.tell(node.random_other(), self.REQUEST, node.me, self.hops)

    def on_token(self, node, source, hint):
        self.asking = 0

    def on_note(self, node, source, note):
        if note.about == node.me:
            return
        if node.give_oldest(note.about):
            node.log("answers", note.about, node.load)
        elif note.value > 1:
            node.tell(node.random_other(), self.REQUEST, note.about, note.value - 1)
# %%
result = terrane.run(*PROGRAM, balancer=AskAnyone, **MACHINE)
result
# %%
again = terrane.run(*PROGRAM, balancer=AskAnyone, **MACHINE)
assert again.event_log_hash == result.event_log_hash
result.answer, f"{1000 * result.virtual_seconds:.2f} ms", f"{result.tokens_moved} tokens moved"
# %% [markdown]
# ## Where the time went
#
# Each processor's time is one of five: it runs the program, balances, polls for messages, switches
# between fibers, or is idle.
# %%
PARTS = ["run_seconds", "balance_seconds", "poll_seconds", "switch_seconds", "idle_seconds"]


def draw_time(axes, result, title):
    split = 1000 * result.frame()[PARTS]
    split.columns = [name.removesuffix("_seconds") for name in PARTS]
    split.plot.bar(stacked=True, width=0.9, ax=axes, legend=False)
    axes.set_title(f"{title}: {1000 * result.virtual_seconds:.1f} ms", fontsize=9)
    axes.set_xticks([])
    axes.set_xlabel("processor")
    axes.set_ylabel("ms")


figure, axes = plt.subplots(1, 3, figsize=(10, 3), sharey=True)
results = {"AskAnyone": result, "his": terrane.run(*PROGRAM, balancer="his", **MACHINE),
           "rand": terrane.run(*PROGRAM, balancer="rand", **MACHINE)}
for each, (name, its) in zip(axes, results.items()):
    draw_time(each, its, name)
axes[-1].legend(fontsize=7)
figure.tight_layout()
# %% [markdown]
# ## Where the tokens went
#
# The event log has a line for each token that came to a node, with the node that sent it. Node 0
# begins with all of the work.
# %%
def flow(result):
    """Tokens from (row) and to (column) each node."""
    events = result.trace()
    tokens = events[events["kind"] == "token"]
    return pandas.crosstab(tokens["first"], tokens["place"]).reindex(
        index=range(result.nodes), columns=range(result.nodes), fill_value=0)


figure, axes = plt.subplots(1, 2, figsize=(8, 3.6))
for each, chosen in zip(axes, (AskAnyone, "his")):
    traced = terrane.run(*PROGRAM, balancer=chosen, trace=True, **MACHINE)
    image = each.imshow(flow(traced), cmap="Blues")
    each.set_title(chosen if isinstance(chosen, str) else chosen.__name__, fontsize=9)
    each.set_xlabel("to node")
    each.set_ylabel("from node")
    figure.colorbar(image, ax=each, shrink=0.8)
figure.tight_layout()
# %% [markdown]
# ## On more machines, with more seeds
#
# `sweep` makes all runs, several at a time, and gives a row for each.
# %%
frame = terrane.sweep(["queens 9 4", "fib 18"], [AskAnyone, "his", "rand", "nop"],
                      nodes=[4, 16, 64], seeds=3)
table = frame.groupby(["program", "balancer", "nodes"])["elapsed_seconds"].mean().unstack("nodes")
(1000 * table).round(2)
# %% [markdown]
# ## The same decisions as in C++
#
# `terrane.policies.His` is the paper's policy in Python. Its event log is that of the one in C++:
# what you find here holds for a policy that you write in C++ later.
# %%
in_python = terrane.run(*PROGRAM, balancer=His, **MACHINE)
assert in_python.event_log_hash == results["his"].event_log_hash
in_python.event_log_hash
