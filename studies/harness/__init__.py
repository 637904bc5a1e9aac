# SPDX-License-Identifier: Apache-2.0
"""What every study shares: runs that are made once, tables, figures, verdicts."""
