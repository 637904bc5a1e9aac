# SPDX-License-Identifier: Apache-2.0
"""long_lost_traces.py: lost_traces_test.py, 200 times."""

import lost_traces_test


class LongLostTraces(lost_traces_test.LostTraces):
    RUNS = 200
