package im.zonda.bench.report;

import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The reports in the folder of a run.
public final class ReportFiles {
  /// The name of the page.
  public static final String PAGE = "report.html";

  private ReportFiles() {}

  /// Writes `report.html` and `report.md` beside the results.
  ///
  /// @param run the file `run.json`, its folder, or a folder of such folders, one for each server
  /// @return the page
  /// @throws IllegalArgumentException if there is no result, or one is wrong
  public static Path write(Path run) throws IOException {
    List<Result> results = ResultJson.readAll(run);
    Path folder = Files.isDirectory(run) ? run : run.resolveSibling("");
    Files.writeString(folder.resolve("report.md"), ReportMarkdown.text(results));
    return Files.writeString(folder.resolve(PAGE), ReportPage.html(results));
  }
}
