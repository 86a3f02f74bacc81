package im.zonda.study.run;

import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The results of cells as files, each written when its cell has ended: a study that was cut goes
/// on with the others.
///
/// @param folder of the study
public record CellFile(Path folder) {
  private static final String ENDING = ".json";

  private Path file(String cell, int round) {
    return cells().resolve(String.format(Locale.ROOT, "%s-%02d%s", cell, round, ENDING));
  }

  private Path cells() {
    return folder.resolve("cells");
  }

  /// Whether a cell has run.
  public boolean has(String cell, int round) {
    return Files.exists(file(cell, round));
  }

  /// Writes the result of a cell.
  public void write(String cell, int round, Map<String, Object> result) throws IOException {
    Files.createDirectories(cells());
    Path unfinished = folder.resolve("unfinished" + ENDING);
    Files.writeString(unfinished, JsonText.indented(result));
    Files.move(unfinished, file(cell, round));
  }

  /// All results, in the order of their files' names.
  public List<Map<String, @Nullable Object>> readAll() throws IOException {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    if (Files.isDirectory(cells())) {
      try (Stream<Path> files = Files.list(cells())) {
        for (Path file : files.filter(f -> f.toString().endsWith(ENDING)).sorted().toList()) {
          all.add(JsonReader.object(Files.readString(file)));
        }
      }
    }
    return all;
  }
}
