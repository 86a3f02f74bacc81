package im.zonda.app.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the text format of Prometheus 0.0.4 strictly, and fails where anything is against it:
/// order of lines, types, names, labels, numbers, the buckets of histograms.
public final class ScrapedText {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") (.+)");
  private static final Pattern TYPE =
      Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|histogram|summary)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\\\\\"\\n]|\\\\[\\\\\"n])*)\"");
  private static final Pattern SAMPLE =
      Pattern.compile("(" + NAME + ")(?:\\{(.*)})? (-?[0-9.]+(?:E-?[0-9]+)?|NaN|[+-]Inf)");

  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, Double> samples = new LinkedHashMap<>();

  /// Reads a text.
  public static ScrapedText of(String text) {
    assertThat(text).endsWith("\n").doesNotContain("\r", "\n\n");
    ScrapedText read = new ScrapedText();
    String family = "";
    String helped = "";
    for (String line : text.lines().toList()) {
      Matcher help = HELP.matcher(line);
      Matcher type = TYPE.matcher(line);
      if (help.matches()) {
        helped = help.group(1);
      } else if (type.matches()) {
        family = type.group(1);
        assertThat(family).as("its help comes first").isEqualTo(helped);
        assertThat(read.types.put(family, type.group(2))).as("two of %s", family).isNull();
      } else {
        read.sample(family, line);
      }
    }
    read.checkHistograms();
    return read;
  }

  private void sample(String family, String line) {
    Matcher sample = SAMPLE.matcher(line);
    assertThat(sample.matches()).as(line).isTrue();
    String name = sample.group(1);
    List<String> allowed =
        switch (types.getOrDefault(family, "")) {
          case "histogram" -> List.of(family + "_bucket", family + "_count", family + "_sum");
          case "summary" -> List.of(family + "_count", family + "_sum");
          default -> List.of(family);
        };
    assertThat(allowed).as(line).contains(name);
    String labels = sample.group(2) == null ? "" : sample.group(2);
    Set<String> names = new HashSet<>();
    List<String> all = new ArrayList<>();
    Matcher label = LABEL.matcher(labels);
    int end = 0;
    while (label.lookingAt() || label.find(end)) {
      assertThat(label.start()).as(line).isEqualTo(end);
      assertThat(names.add(label.group(1))).as(line).isTrue();
      all.add(label.group());
      end = label.end();
      if (end == labels.length()) {
        break;
      }
      assertThat(labels.charAt(end)).as(line).isEqualTo(',');
      end++;
      label.region(end, labels.length());
    }
    assertThat(end).as(line).isEqualTo(labels.length());
    String key = name + (all.isEmpty() ? "" : "{" + String.join(",", all) + "}");
    String number = sample.group(3).replace("Inf", "Infinity");
    assertThat(samples.put(key, Double.valueOf(number))).as("two of %s", key).isNull();
  }

  private void checkHistograms() {
    types.forEach((family, type) -> {
      if (type.equals("histogram")) {
        Map<String, Double> last = new LinkedHashMap<>();
        samples.forEach((key, value) -> {
          if (key.startsWith(family + "_bucket{")) {
            String series = key.replaceAll(",?le=\"[^\"]*\"", "").replace("_bucket", "_count");
            series = series.endsWith("{}") ? series.substring(0, series.length() - 2) : series;
            Double before = last.put(series, value);
            assertThat(before == null || before <= value).as(key).isTrue();
          }
        });
        last.forEach((series, all) -> assertThat(samples.get(series)).as(series).isEqualTo(all));
        assertThat(last).isNotEmpty();
      }
    });
  }

  /// The kind of each meter.
  public Map<String, String> types() {
    return types;
  }

  /// The value of a series, such as `zonda_stanzas_total{kind="iq"}`.
  public double value(String series) {
    return Objects.requireNonNull(samples.get(series), series);
  }

  /// The series of a meter, or of a part of a histogram such as `zonda_login_seconds_bucket`.
  public List<String> series(String name) {
    return samples.keySet().stream()
        .filter(each -> each.equals(name) || each.startsWith(name + "{"))
        .toList();
  }
}
