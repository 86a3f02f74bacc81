package im.zonda.bench.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes the pages of a source tree.
public final class Pages {
  private static final String RESULTS = "bench/results";
  private static final String PERFORMANCE = "bench/results/performance.md.in";
  private static final String MEASUREMENTS = "bench/results/earlier/measurements.md.in";
  private static final String EARLIER = "bench/results/earlier/measurements.json";

  private Pages() {}

  /// The texts of the pages by their paths in the tree.
  ///
  /// @throws IllegalArgumentException if results or the template are wrong
  public static Map<String, String> texts(Path root) throws IOException {
    if (!Files.isRegularFile(root.resolve(PERFORMANCE))) {
      throw new IllegalArgumentException(root + " is no source tree of Zonda");
    }
    Map<String, EarlierTable> tables = EarlierTable.read(Files.readString(root.resolve(EARLIER)));
    StoredResults results = StoredResults.read(root.resolve(RESULTS));
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put(
        "docs/performance.md",
        PerformancePage.text(Files.readString(root.resolve(PERFORMANCE)), results));
    texts.put(
        "docs/measurements.md",
        MeasurementsPage.text(Files.readString(root.resolve(MEASUREMENTS)), tables, results));
    texts.put("docs/then-and-now.md", new ThenAndNowPage(tables, results).text());
    return texts;
  }

  /// Writes the pages.
  ///
  /// @return the paths in the tree of those that have changed
  public static List<String> write(Path root) throws IOException {
    List<String> changed = new ArrayList<>();
    for (Map.Entry<String, String> page : texts(root).entrySet()) {
      Path file = root.resolve(page.getKey());
      if (!Files.exists(file) || !Files.readString(file).equals(page.getValue())) {
        Files.writeString(file, page.getValue());
        changed.add(page.getKey());
      }
    }
    return changed;
  }
}
