# SPDX-License-Identifier: Apache-2.0
import pytest
import terrane


@pytest.fixture(scope="session", autouse=True)
def command():
    """The command has to be there: without it every test would say the same."""
    return terrane.find_command()
