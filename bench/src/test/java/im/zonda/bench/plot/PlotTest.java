package im.zonda.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {
  @Test
  void numbersHaveThreeDigits() {
    assertThat(List.of(0.0, 0.12345, 28.54, 999.4, 5_000.4, 1e-5, -2.0, Double.NaN))
        .extracting(Numbers::of)
        .containsExactly("0", "0.123", "28.5", "999", "5,000", "0.00001", "-2", "not measured");
    assertThat(Numbers.of(3, "ms")).isEqualTo("3 ms");
    assertThat(Numbers.of(3, "")).isEqualTo("3");
  }

  @Test
  void axesHaveRoundMarks() {
    assertThat(Scale.fromZero(583).marks())
        .containsExactly(0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0);
    assertThat(Scale.fromZero(0).marks()).hasSizeGreaterThan(1);
    assertThat(Scale.ofPowers(0.2, 999).marks().stream().map(Numbers::of))
        .containsExactly("0.1", "1", "10", "100", "1,000");
  }

  @Test
  void placesAreThoseOfLogarithm() {
    Scale scale = new Scale(1, 100, true);
    assertThat(scale.place(10)).isCloseTo(0.5, within(1e-12));
    assertThat(scale.place(0)).isZero();
    assertThat(scale.place(1e9)).isEqualTo(1);
    assertThat(new Scale(0, 4, false).place(1)).isEqualTo(0.25);
  }

  @Test
  void thinningKeepsSpikesAndGaps() {
    double[] values = new double[3_600];
    Arrays.fill(values, 1);
    values[1_234] = 99;
    values[2_345] = 0.5;
    Arrays.fill(values, 3_000, 3_100, Double.NaN);
    Curve thin = Curve.ofSeconds("x", 0, Curve.Style.LINE, values).thinned();
    assertThat(thin.x().length).isLessThanOrEqualTo(480);
    assertThat(thin.x()).isSorted();
    assertThat(thin.y()).contains(99, 0.5, Double.NaN);
    assertThat(thin.most()).isEqualTo(99);
    assertThat(thin.leastAboveZero()).isEqualTo(0.5);
  }

  @Test
  void areasStandOnEachOther() {
    double[] one = {1, 1};
    Scale scale = new Scale(0, 2, false);
    String svg =
        PanelSvg.draw(
            new Panel(
                "CPU <1>",
                "d",
                scale,
                scale,
                Panel.Quantity.SECONDS,
                List.of(
                    Curve.ofSeconds("a", 0, Curve.Style.AREA, one),
                    Curve.ofSeconds("b", 1, Curve.Style.AREA, one)),
                List.of(new Panel.Level(3, "above"), new Panel.Level(1, "within")),
                List.of()));
    assertThat(svg)
        .contains("<title>CPU &lt;1&gt;</title>")
        .contains("class=\"area a0\" d=\"M506 127 946 127 L946 242 506 242z\"")
        .contains("class=\"area a1\" d=\"M506 12 946 12 L946 127 506 127z\"")
        .contains("within")
        .doesNotContain("above");
  }

  @Test
  void barsHaveLengthsOfTheirValues() {
    String svg =
        new BarChart(
                "t",
                "d",
                "us",
                List.of(
                    new BarChart.Bar("a", 0, 10, Double.NaN, Double.NaN),
                    new BarChart.Bar("b", 1, 20, 18, 40),
                    new BarChart.Bar("c", 2, Double.NaN, Double.NaN, Double.NaN)))
            .draw();
    assertThat(svg)
        .contains("width=\"150.0\"", "width=\"300.0\"")
        .contains("not measured")
        .containsOnlyOnce("class=\"interval\"");
  }
}
