"""Labels are escaped, and colors differ."""

from credprop.report.style import color, full, label


def test_plotly_sees_no_tag_and_no_entity_in_a_label() -> None:
    assert label("<b>&lt;") == "&lt;b&gt;&amp;lt;"
    assert "<b>" not in full("<b>" * 40).replace("<br>", "")


def test_thirty_classes_have_few_colors_in_common() -> None:
    assert len({color(code) for code in range(24)}) == 24
    assert color(-1) not in {color(code) for code in range(24)}
