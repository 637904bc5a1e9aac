# SPDX-License-Identifier: Apache-2.0
"""report_page.py: the data in the page of a report."""

import json
import re


def data_of(page):
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page,
                                re.DOTALL).group(1))
