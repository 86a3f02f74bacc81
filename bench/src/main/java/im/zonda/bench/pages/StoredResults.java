package im.zonda.bench.pages;

import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import im.zonda.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The results that the source tree keeps, the newest first.
final class StoredResults {
  /// A result and its file.
  ///
  /// @param file its name
  record Stored(String file, Result result) {
    String scenario() {
      return result.run().scenario();
    }

    /// Whether the server is this project's.
    boolean isOwn() {
      return result.subject().name().startsWith("zonda");
    }
  }

  private final List<Stored> all;

  StoredResults(List<Stored> all) {
    this.all =
        all.stream()
            .sorted(
                Comparator.comparing((Stored stored) -> stored.result().run().started())
                    .reversed()
                    .thenComparing(Stored::file))
            .toList();
  }

  /// Reads the files of a folder.
  ///
  /// @throws IllegalArgumentException if a result does not say where it comes from
  static StoredResults read(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> list = Files.list(folder)) {
      files = list.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    List<Stored> all = new ArrayList<>();
    for (Path file : files) {
      String name = String.valueOf(file.getFileName());
      all.add(checked(new Stored(name, read(name, Files.readString(file)))));
    }
    return new StoredResults(all);
  }

  private static Result read(String name, String text) {
    try {
      Map<String, @Nullable Object> members = JsonReader.object(text);
      return StudyResult.isStudy(members) ? StudyResult.of(members) : ResultJson.result(text);
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private static Stored checked(Stored stored) {
    Result result = stored.result();
    boolean origin = stored.isOwn() ? !result.subject().commit().isEmpty() : true;
    if (!origin || result.run().command().isEmpty() || result.machine().cpu().isEmpty()) {
      throw new IllegalArgumentException(
          stored.file() + " does not say its machine, commit and command");
    }
    return stored;
  }

  /// The scenarios in alphabetical order.
  List<String> scenarios() {
    return all.stream().map(Stored::scenario).distinct().sorted().toList();
  }

  /// The newest result of each server with its options and set of parameters in a scenario, the
  /// project's own servers first.
  List<Stored> newest(String scenario) {
    List<Stored> newest = new ArrayList<>();
    List<Object> seen = new ArrayList<>();
    for (Stored stored : all) {
      Result.Subject subject = stored.result().subject();
      Object key = List.of(subject.name(), subject.options(), stored.result().run().parameters());
      if (stored.scenario().equals(scenario) && !seen.contains(key)) {
        seen.add(key);
        newest.add(stored);
      }
    }
    newest.sort(Comparator.comparing((Stored stored) -> !stored.isOwn()));
    return newest;
  }
}
