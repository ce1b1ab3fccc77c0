"""The README's example runs as it is shown."""

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[3] / "README.md"


@pytest.mark.skipif(not README.exists(), reason="only the repository has the README")
def test_the_example_of_the_readme(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    exec(example, {})  # noqa: S102
    assert "Tokens are counted once per block." in capsys.readouterr().out
